// @ts-check
/** Width and height of a map, and of the part of it that a player sees. */
const AREA = 64, VIEW_WIDTH = 9, VIEW_HEIGHT = 7;
const CELLS = AREA * AREA;
/** Moments between two whole maps that are kept for going back. */
const BETWEEN = 64;
const NEVER = 65535;
/** Of a cell, the bits of its material, and those above them of what stands on it. */
const MATERIAL_BITS = 10, MATERIAL = 1023;

/**
 * The bytes of a zlib stream in base64.
 * @param {string} text
 * @returns {Promise<Uint8Array>}
 */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Takes columns out of bytes, one after the other; numbers are little-endian. */
class Columns {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** @param {number} length */
  uint8(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** @param {number} length */
  uint16(length) {
    return new Uint16Array(this.uint8(2 * length).slice().buffer);
  }

  /** @param {number} length */
  float32(length) {
    return new Float32Array(this.uint8(4 * length).slice().buffer);
  }
}

/**
 * An episode, of which one moment is current; `frames.py` describes the columns.
 *
 * A cell is a material plus 1024 times what stands on it; cells lie column by column.
 */
class Recording {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const columns = new Columns(bytes);
    const magic = String.fromCharCode(...columns.uint8(4));
    if (magic !== "MLF2") throw new Error(`unknown frames: ${magic}`);
    const head = new DataView(columns.uint8(12).slice().buffer);
    this.steps = head.getUint32(0, true);
    const changes = head.getUint32(4, true), items = head.getUint32(8, true);
    const moments = this.steps + 1;
    this.cells = columns.uint16(CELLS);
    this.counts = columns.uint16(this.steps);
    this.places = columns.uint16(changes);
    this.values = columns.uint16(changes);
    this.x = columns.uint8(moments);
    this.y = columns.uint8(moments);
    this.pose = columns.uint8(moments);
    this.daylight = columns.uint8(moments);
    this.inventory = columns.uint8(items * moments);
    this.action = columns.uint8(this.steps);
    this.reward = columns.float32(this.steps);
    /** The current moment. */
    this.moment = 0;
    /** For each cell the first moment at which the player saw it. */
    this.firstSeen = new Uint16Array(CELLS).fill(NEVER);
    /** Where the changes of each step begin. */
    this.offsets = new Uint32Array(moments);
    /** @type {Uint16Array[]} */
    this.kept = [];
    this.look();
  }

  /** Walk through all moments once, to be able to go to any of them. */
  look() {
    for (let moment = 0; moment <= this.steps; moment++) {
      if (moment > 0) this.forward();
      if (moment % BETWEEN === 0) this.kept.push(this.cells.slice());
      this.see(moment);
    }
    this.seek(0);
  }

  /** One step on. */
  forward() {
    const from = this.offsets[this.moment], to = from + this.counts[this.moment];
    for (let i = from; i < to; i++) this.cells[this.places[i]] = this.values[i];
    this.offsets[++this.moment] = to;
  }

  /** @param {number} moment */
  see(moment) {
    const left = this.x[moment] - (VIEW_WIDTH >> 1), top = this.y[moment] - (VIEW_HEIGHT >> 1);
    for (let x = Math.max(0, left); x < Math.min(AREA, left + VIEW_WIDTH); x++) {
      for (let y = Math.max(0, top); y < Math.min(AREA, top + VIEW_HEIGHT); y++) {
        const cell = x * AREA + y;
        if (this.firstSeen[cell] === NEVER) this.firstSeen[cell] = moment;
      }
    }
  }

  /**
   * Make a moment the current one.
   * @param {number} moment
   */
  seek(moment) {
    if (moment < this.moment || moment > this.moment + BETWEEN) {
      const whole = Math.floor(moment / BETWEEN);
      this.cells.set(this.kept[whole]);
      this.moment = whole * BETWEEN;
    }
    while (this.moment < moment) this.forward();
  }

  /**
   * How much the player has of an item (by code) now.
   * @param {number} item
   */
  amount(item) {
    return this.inventory[item * (this.steps + 1) + this.moment];
  }

  /** The sum of all rewards until now. */
  total() {
    return this.reward.subarray(0, this.moment).reduce((sum, reward) => sum + reward, 0);
  }

  /** The cell that the player looks at: how far right and down of it. */
  facing() {
    return [[-1, 0], [1, 0], [0, -1], [0, 1], [0, 0]][this.pose[this.moment]];
  }

  /** What the player looks at, as a cell; null asleep, and at the edge of the map. */
  ahead() {
    const [right, down] = this.facing();
    const x = this.x[this.moment] + right, y = this.y[this.moment] + down;
    const inside = x >= 0 && y >= 0 && x < AREA && y < AREA;
    return inside && (right || down) ? this.cells[x * AREA + y] : null;
  }
}
