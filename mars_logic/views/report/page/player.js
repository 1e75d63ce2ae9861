// @ts-check
/** Steps a second. */
const SPEEDS = [1, 2, 4, 8, 16, 32, 64, 128];

/** Plays episodes: which one, which moment of it, whether it runs, and how fast. */
class Player {
  /**
   * @param {PageData} report
   * @param {Brush} brush
   */
  constructor(report, brush) {
    this.report = report;
    this.brush = brush;
    this.root = element("player", HTMLElement);
    this.choice = element("episode", HTMLSelectElement);
    this.position = element("position", HTMLOutputElement);
    this.map = new MapDrawing(element("map", HTMLCanvasElement), element("overlay", HTMLCanvasElement), brush);
    this.view = new ViewDrawing(element("view", HTMLCanvasElement), brush);
    this.holdings = new Holdings(report.items);
    this.now = new Now(report);
    this.belief = new Belief();
    this.timeline = new Timeline((step) => this.stopAt(step));
    /** @type {Map<number, Promise<Recording>>} */
    this.recordings = new Map();
    /** @type {Recording | null} */
    this.recording = null;
    /** @type {Moment[]} */
    this.moments = [];
    this.number = 0;
    this.speed = 3;
    this.playing = false;
    this.listen();
    this.setSpeed(this.speed);
  }

  /**
   * Show an episode at a moment.
   * @param {number} number
   * @param {number} moment
   */
  async load(number, moment = 0) {
    if (!(number in this.report.episodes)) return;
    this.stop();
    this.number = number;
    this.choice.value = String(number);
    const recording = await this.recorded(number);
    if (number !== this.number) return; // another one was chosen meanwhile
    this.recording = recording;
    const episode = this.report.episodes[number];
    this.moments = momentsOf(episode, this.report.revisions[episode.unit] ?? [], recording.steps);
    this.timeline.load(this.moments, recording.steps);
    this.go(moment);
    this.root.dataset.ready = String(number);
  }

  /**
   * An episode's recording, decoded when it is first asked for.
   * @param {number} number
   */
  recorded(number) {
    let found = this.recordings.get(number);
    if (!found) {
      const text = element(`frames-${number}`, HTMLScriptElement).text;
      found = inflated(text).then((bytes) => new Recording(bytes));
      this.recordings.set(number, found);
    }
    return found;
  }

  /**
   * Show a moment.
   * @param {number} moment
   */
  go(moment) {
    const recording = this.recording;
    if (!recording) return;
    recording.seek(Math.min(recording.steps, Math.max(0, moment)));
    const episode = this.report.episodes[this.number];
    this.map.draw(recording);
    this.view.draw(recording);
    this.holdings.show(recording);
    this.now.show(recording, episode, this.moments);
    this.belief.show(this.report.revisions[episode.unit], episode, recording.moment);
    this.timeline.show(recording.moment);
    this.position.textContent = `step ${recording.moment} of ${recording.steps}`;
    this.timeline.scrub.ariaValueText = `${this.position.textContent}: ${this.now.action.textContent}`;
    this.root.dataset.step = String(recording.moment);
  }

  /** @param {number} moment */
  stopAt(moment) {
    this.stop();
    this.go(moment);
  }

  /** @param {number} steps */
  by(steps) {
    if (this.recording) this.stopAt(this.recording.moment + steps);
  }

  /**
   * To the next moment of note, or back to the one before.
   * @param {1 | -1} direction
   */
  toMoment(direction) {
    const at = this.recording?.moment ?? 0;
    const steps = this.moments.map(({ step }) => step);
    const to = direction > 0 ? steps.find((step) => step > at) : steps.findLast((step) => step < at);
    this.stopAt(to ?? (direction > 0 ? Infinity : 0));
  }

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  play() {
    if (!this.recording) return;
    if (this.recording.moment === this.recording.steps) this.go(0);
    this.setPlaying(true);
    let last = performance.now(), owed = 0;
    const frame = (/** @type {number} */ time) => {
      if (!this.playing || !this.recording) return;
      owed += ((time - last) * SPEEDS[this.speed]) / 1000;
      last = time;
      const whole = Math.floor(Math.max(0, owed));
      owed -= whole;
      if (whole) this.go(this.recording.moment + whole);
      if (this.recording.moment === this.recording.steps) this.stop();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.setPlaying(false);
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    this.playing = playing;
    this.root.classList.toggle("playing", playing);
    element("play", HTMLButtonElement).setAttribute("aria-label", playing ? "Pause" : "Play");
    element("news", HTMLElement).setAttribute("aria-live", playing ? "off" : "polite");
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = Math.min(SPEEDS.length - 1, Math.max(0, speed));
    element("speed", HTMLOutputElement).textContent = `${SPEEDS[this.speed]} steps/s`;
  }

  listen() {
    /** @type {Record<string, () => void>} */
    const buttons = {
      first: () => this.stopAt(0),
      back: () => this.by(-1),
      play: () => this.toggle(),
      forward: () => this.by(1),
      last: () => this.stopAt(Infinity),
      slower: () => this.setSpeed(this.speed - 1),
      faster: () => this.setSpeed(this.speed + 1),
    };
    for (const [id, act] of Object.entries(buttons)) element(id, HTMLButtonElement).addEventListener("click", act);
    const scrub = element("scrub", HTMLInputElement);
    scrub.addEventListener("input", () => this.stopAt(Number(scrub.value)));
    this.look("unseen", (checked) => (this.map.unseen = checked));
    this.look("close", (checked) => (this.map.zoom = checked ? 2.5 : 1));
    this.choice.addEventListener("change", () => this.load(Number(this.choice.value)));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * A box to tick that changes how the map looks.
   * @param {string} id
   * @param {(checked: boolean) => void} change
   */
  look(id, change) {
    const box = element(id, HTMLInputElement);
    box.addEventListener("change", () => {
      change(box.checked);
      if (this.recording) this.map.draw(this.recording);
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const on = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || on instanceof HTMLSelectElement) return;
    if (event.key === " " && (on instanceof HTMLButtonElement || on.matches("[type=checkbox]"))) return;
    const act = this.keys()[event.key];
    if (!act) return;
    event.preventDefault();
    act(event.shiftKey ? 10 : 1);
  }

  /** @returns {Record<string, (steps: number) => void>} */
  keys() {
    return {
      " ": () => this.toggle(),
      ArrowLeft: (steps) => this.by(-steps),
      ArrowRight: (steps) => this.by(steps),
      PageUp: () => this.by(-50),
      PageDown: () => this.by(50),
      Home: () => this.stopAt(0),
      End: () => this.stopAt(Infinity),
      "+": () => this.setSpeed(this.speed + 1),
      "=": () => this.setSpeed(this.speed + 1),
      "-": () => this.setSpeed(this.speed - 1),
      "[": () => this.toMoment(-1),
      "]": () => this.toMoment(1),
    };
  }
}
