// @ts-check
/**
 * What the page is about, as Python wrote it (`page.py`, `replays.py`).
 *
 * @typedef {{label: string, unit: string, number: number, agent: string, world: string,
 *   phase: string, ended: string | null, unlocked: [string, number][],
 *   thoughts: [number, string, string][], thinks: boolean}} Episode
 * @typedef {{episode: number, step: number, rule: string, words: [string, string],
 *   because: string[]}} Revision
 * @typedef {{episodes: Episode[], revisions: Record<string, Revision[]>, items: string[],
 *   actions: string[], materials: string[], looks: string[], sprites: string,
 *   first: number}} PageData
 */

/**
 * The element with an id, which is known to be there.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page lacks #${id}`);
  return found;
}

/**
 * A new element with a class and a text.
 * @param {string} tag
 * @param {string} [className]
 * @param {string} [text]
 */
function made(tag, className = "", text = "") {
  const found = document.createElement(tag);
  if (className) found.className = className;
  if (text) found.textContent = text;
  return found;
}

/** @returns {PageData} */
function readReport() {
  return JSON.parse(element("document", HTMLScriptElement).text);
}

/**
 * A name as words.
 * @param {string} name
 */
const spaced = (name) => name.replaceAll("_", " ");
