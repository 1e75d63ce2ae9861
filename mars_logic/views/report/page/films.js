// @ts-check
/** How many moments a film has: the one after the step, and those before it. */
const FRAMES = 3;

/** Films of the moments around a step, drawn when they are opened. */
class Films {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    for (const film of document.querySelectorAll("details.film")) {
      if (!(film instanceof HTMLDetailsElement)) continue;
      film.addEventListener("toggle", () => this.open(film));
      this.open(film);
    }
  }

  /** @param {HTMLDetailsElement} film */
  async open(film) {
    const strip = film.querySelector(".frames");
    if (!film.open || !strip || strip.hasChildNodes()) return;
    const { replay, step } = film.dataset;
    const recording = await this.player.recorded(Number(replay));
    if (!strip.hasChildNodes()) strip.append(...this.frames(recording, Number(step)));
  }

  /**
   * @param {Recording} recording
   * @param {number} step
   */
  frames(recording, step) {
    const current = recording.moment; // the player may be showing it
    const last = Math.min(step, recording.steps), first = Math.max(0, last - FRAMES + 1);
    const found = [];
    for (let moment = first; moment <= last; moment++) {
      recording.seek(moment);
      found.push(this.frame(recording, moment === last));
    }
    recording.seek(current);
    return found;
  }

  /**
   * @param {Recording} recording
   * @param {boolean} isLast
   */
  frame(recording, isLast) {
    const figure = made("figure"), canvas = document.createElement("canvas");
    canvas.width = VIEW_WIDTH * 2 * SIDE;
    canvas.height = VIEW_HEIGHT * 2 * SIDE;
    new ViewDrawing(canvas, this.player.brush).draw(recording);
    const { moment } = recording;
    const action = isLast ? "" : `, then ${spaced(this.player.report.actions[recording.action[moment]])}`;
    const told = `step ${moment}${action}`;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `The player's view at ${told}`);
    figure.append(canvas, made("figcaption", "", told));
    return figure;
  }
}
