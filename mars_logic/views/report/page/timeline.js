// @ts-check
/**
 * Something to jump to.
 * @typedef {{step: number, kind: "unlocked" | "revised" | "end", told: string}} Moment
 */

/**
 * The moments of an episode, in order.
 * @param {Episode} episode
 * @param {Revision[]} revisions of its unit
 * @param {number} steps
 * @returns {Moment[]}
 */
function momentsOf(episode, revisions, steps) {
  /** @type {Moment[]} */
  const found = episode.unlocked.map(([name, step]) => ({ step, kind: "unlocked", told: spaced(name) }));
  for (const { episode: number, step, rule } of revisions) {
    if (number === episode.number) found.push({ step, kind: "revised", told: `revised ${rule}` });
  }
  const why = { death: "death", complete: "everything unlocked", length: "the end" };
  const end = why[/** @type {keyof typeof why} */ (episode.ended ?? "length")] ?? "the end";
  found.push({ step: steps, kind: "end", told: end });
  return found.sort((a, b) => a.step - b.step);
}

const SIGNS = { unlocked: "★", revised: "◆", end: "■" };

/** Marks above the slider and a list of moments, both of which jump. */
class Timeline {
  /** @param {(step: number) => void} jump */
  constructor(jump) {
    this.jump = jump;
    this.lanes = { unlocked: element("unlocks", HTMLElement), revised: element("revised", HTMLElement) };
    this.list = element("moments", HTMLElement);
    this.scrub = element("scrub", HTMLInputElement);
    /** @type {{step: number, button: HTMLElement}[]} */
    this.buttons = [];
  }

  /**
   * Show the moments of another episode.
   * @param {Moment[]} moments
   * @param {number} steps
   */
  load(moments, steps) {
    this.scrub.max = String(steps);
    this.buttons = [];
    for (const [kind, lane] of Object.entries(this.lanes)) {
      lane.querySelectorAll("button").forEach((button) => button.remove());
      const own = moments.filter((each) => each.kind === kind);
      lane.hidden = own.length === 0;
      element(`${lane.id}-name`, HTMLElement).hidden = lane.hidden;
      for (const [step, together] of grouped(own)) lane.append(this.mark(step, together, steps));
    }
    this.list.replaceChildren(...moments.map((moment) => this.item(moment)));
    for (const group of [...Object.values(this.lanes), this.list]) rove(group);
  }

  /**
   * @param {number} step
   * @param {Moment[]} together
   * @param {number} steps
   */
  mark(step, together, steps) {
    const told = together.map((each) => each.told).join(", ");
    const button = this.button(step, `mark ${together[0].kind}`, `Step ${step}: ${told}`);
    button.style.setProperty("--at", String(step / Math.max(1, steps)));
    button.textContent = SIGNS[together[0].kind];
    return button;
  }

  /** @param {Moment} moment */
  item(moment) {
    const item = made("li");
    const button = this.button(moment.step, `moment ${moment.kind}`, "");
    const sign = made("span", "sign", SIGNS[moment.kind]);
    sign.setAttribute("aria-hidden", "true");
    button.append(sign, made("span", "told", moment.told), made("small", "", `step ${moment.step}`));
    item.append(button);
    return item;
  }

  /**
   * @param {number} step
   * @param {string} className
   * @param {string} label
   */
  button(step, className, label) {
    const button = made("button", className);
    button.setAttribute("type", "button");
    if (label) {
      button.setAttribute("aria-label", label);
      button.title = label;
    }
    button.addEventListener("click", () => this.jump(step));
    this.buttons.push({ step, button });
    return button;
  }

  /** @param {number} moment */
  show(moment) {
    this.scrub.value = String(moment);
    this.scrub.style.setProperty("--done", String(moment / Math.max(1, Number(this.scrub.max))));
    /** @type {HTMLElement | null} */
    let latest = null;
    for (const { step, button } of this.buttons) {
      button.classList.toggle("past", step <= moment);
      button.classList.toggle("here", step === moment);
      if (step <= moment && this.list.contains(button)) latest = button;
    }
    if (latest) scrollWithin(this.list, latest);
  }
}

/**
 * Moments by their steps.
 * @param {Moment[]} moments
 */
function grouped(moments) {
  /** @type {Map<number, Moment[]>} */
  const found = new Map();
  for (const each of moments) found.set(each.step, [...(found.get(each.step) ?? []), each]);
  return found;
}

/**
 * Scroll a list, and nothing around it, so that an entry is seen.
 * @param {HTMLElement} list
 * @param {HTMLElement} entry
 */
function scrollWithin(list, entry) {
  const above = entry.offsetTop - list.offsetTop, below = above + entry.offsetHeight;
  if (above < list.scrollTop) list.scrollTop = above;
  else if (below > list.scrollTop + list.clientHeight) list.scrollTop = below - list.clientHeight;
}

/**
 * One tab stop for a group of buttons, among which the arrow keys move.
 * @param {HTMLElement} group
 */
function rove(group) {
  const buttons = [...group.querySelectorAll("button")];
  buttons.forEach((button, i) => (button.tabIndex = i ? -1 : 0));
  group.onkeydown = (event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[Math.min(buttons.length - 1, Math.max(0, to))];
    buttons[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
}
