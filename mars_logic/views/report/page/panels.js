// @ts-check
/** Items that are vitals come first. */
const VITALS = 4, MOST = 9;
/** The row of items in the picture of sprites. */
const ITEMS = 2;

/**
 * A small picture of an item.
 * @param {number} item
 */
function icon(item) {
  const found = made("span", "sprite");
  found.style.setProperty("--column", String(item));
  found.style.setProperty("--row", String(ITEMS));
  found.setAttribute("aria-hidden", "true");
  return found;
}

/** Health, food, drink and energy as bars, and what is held. */
class Holdings {
  /** @param {string[]} items */
  constructor(items) {
    this.vitals = element("vitals", HTMLElement);
    this.inventory = element("inventory", HTMLElement);
    this.shown = items.map((name, item) => (item < VITALS ? this.vital(name, item) : this.held(name, item)));
  }

  /**
   * @param {string} name
   * @param {number} item
   */
  vital(name, item) {
    const row = made("div", "vital");
    const bar = made("span", "pips");
    for (let i = 0; i < MOST; i++) bar.append(made("i"));
    const number = made("b");
    row.append(icon(item), made("span", "name", name), bar, number);
    this.vitals.append(row);
    return { row, number, bar };
  }

  /**
   * @param {string} name
   * @param {number} item
   */
  held(name, item) {
    const row = made("li");
    const number = made("b");
    row.title = spaced(name);
    row.append(icon(item), made("span", "visually-hidden", spaced(name)), number);
    this.inventory.append(row);
    return { row, number, bar: null };
  }

  /** @param {Recording} recording */
  show(recording) {
    this.shown.forEach(({ row, number, bar }, item) => {
      const amount = recording.amount(item);
      number.textContent = String(amount);
      row.classList.toggle("none", amount === 0);
      row.classList.toggle("low", bar !== null && amount <= 3);
      bar?.childNodes.forEach((pip, i) => pip instanceof HTMLElement && pip.classList.toggle("on", i < amount));
    });
  }
}

/** What the player does, why, and what came of it. */
class Now {
  /** @param {PageData} report */
  constructor(report) {
    this.report = report;
    this.ahead = element("ahead", HTMLElement);
    this.action = element("action", HTMLElement);
    this.reward = element("reward", HTMLElement);
    this.thought = element("thought", HTMLElement);
    this.noThought = element("no-thought", HTMLElement);
    this.layer = element("layer", HTMLElement);
    this.about = element("about", HTMLElement);
    this.news = element("news", HTMLElement);
  }

  /**
   * @param {Recording} recording
   * @param {Episode} episode
   * @param {Moment[]} moments
   */
  show(recording, episode, moments) {
    const { moment } = recording;
    const reward = moment ? recording.reward[moment - 1] : 0;
    this.action.textContent = moment ? spaced(this.report.actions[recording.action[moment - 1]]) : "start of the episode";
    this.reward.replaceChildren("reward ", made("b", "", recording.total().toFixed(1)), reward ? ` (${signed(reward)})` : "");
    this.ahead.textContent = this.facing(recording);
    this.think(lastOf(episode.thoughts, moment));
    this.noThought.hidden = !episode.thinks || episode.thoughts.length > 0;
    const here = moments.filter(({ step }) => step === moment);
    const told = here.map((each) => each.told).join(" · ");
    if (this.news.textContent !== told) this.news.textContent = told;
    this.news.className = here.length ? `news ${here[0].kind}` : "news";
  }

  /** @param {Recording} recording */
  facing(recording) {
    if (recording.pose[recording.moment] === ASLEEP) return "asleep";
    const cell = recording.ahead();
    if (cell === null) return "at the edge of the map";
    const thing = this.report.looks[cell >> MATERIAL_BITS], material = this.report.materials[cell & MATERIAL];
    return `facing ${cell >> MATERIAL_BITS ? `${spaced(thing)} on ` : ""}${material}`;
  }

  /** @param {[number, string, string] | undefined} thought */
  think(thought) {
    this.thought.hidden = !thought;
    if (!thought) return;
    this.layer.textContent = thought[1];
    this.about.textContent = thought[2];
  }
}

/**
 * The last thought that is not later than a moment; a thought's step is that of its action.
 * @param {[number, string, string][]} thoughts
 * @param {number} moment
 */
function lastOf(thoughts, moment) {
  return thoughts.findLast(([step]) => step <= Math.max(1, moment));
}

/** @param {number} reward */
const signed = (reward) => (reward < 0 ? "−" : "+") + Math.abs(reward).toFixed(1);

/** The rules that a learner has changed, as it believes them at a moment. */
class Belief {
  constructor() {
    this.box = element("belief", HTMLElement);
    this.count = element("belief-count", HTMLElement);
    this.list = element("belief-list", HTMLElement);
    this.told = "";
  }

  /**
   * @param {Revision[] | undefined} revisions of the unit
   * @param {Episode} episode
   * @param {number} moment
   */
  show(revisions, episode, moment) {
    this.box.hidden = !revisions;
    if (!revisions) return;
    const past = revisions.filter(
      (each) => each.episode < episode.number || (each.episode === episode.number && each.step <= moment),
    );
    const told = `${episode.unit} ${past.length}`;
    if (told === this.told) return;
    this.told = told;
    const latest = new Map(past.map((each) => [each.rule, each]));
    this.count.textContent = `${latest.size} rules changed`;
    const ordered = [...latest.values()].sort((a, b) => b.episode - a.episode || b.step - a.step);
    const items = ordered.map((each) => this.item(each, episode));
    this.list.replaceChildren(...(items.length ? items : [made("li", "none", "no rule changed yet")]));
    this.list.scrollTop = 0;
  }

  /**
   * @param {Revision} revision
   * @param {Episode} episode
   */
  item(revision, episode) {
    const item = made("li");
    const when = revision.episode === episode.number ? `step ${revision.step}` : `episode ${revision.episode}`;
    item.append(made("code", "", revision.rule), made("small", "", ` since ${when}`), made("p", "", revision.words[1]));
    return item;
  }
}
