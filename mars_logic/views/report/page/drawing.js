// @ts-check
/** Side of a sprite. */
const SIDE = 16;
/** Rows of the picture of sprites (`art.py`), and where players begin in the second. */
const MATERIALS = 0, APPEARANCES = 1, PLAYERS = 12;
/** Added to a cell that the player has not seen; and what stands for one that is not shown. */
const UNSEEN = 1 << 14, HIDDEN = 1 << 15;
/** The pose of a player who sleeps. */
const ASLEEP = 4;
/** The colours of night and of sleep, as in `views/atlas.py`. */
const NIGHT = "0, 16, 64", SLEEP = "0, 0, 16";

/**
 * The 2D context of a canvas, which leaves pixels as they are.
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
function crisp(canvas) {
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser cannot draw");
  pen.imageSmoothingEnabled = false;
  return pen;
}

/** Draws cells of the map from the picture of sprites. */
class Brush {
  /** @param {HTMLImageElement} sprites */
  constructor(sprites) {
    this.sprites = sprites;
  }

  /**
   * Draw a material with what stands on it; appearance 0 is nothing.
   * @param {CanvasRenderingContext2D} pen
   * @param {number} material
   * @param {number} appearance
   * @param {number} x
   * @param {number} y
   * @param {number} side
   */
  cell(pen, material, appearance, x, y, side) {
    this.sprite(pen, MATERIALS, material, x, y, side);
    if (appearance) this.sprite(pen, APPEARANCES, appearance, x, y, side);
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {number} row
   * @param {number} column
   * @param {number} x
   * @param {number} y
   * @param {number} side
   */
  sprite(pen, row, column, x, y, side) {
    pen.drawImage(this.sprites, column * SIDE, row * SIDE, SIDE, SIDE, x, y, side, side);
  }
}

/** The whole map; only cells that look otherwise than before are drawn. */
class MapDrawing {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLCanvasElement} overlay
   * @param {Brush} brush
   */
  constructor(canvas, overlay, brush) {
    this.pen = crisp(canvas);
    this.over = crisp(overlay);
    this.brush = brush;
    this.drawn = new Uint16Array(CELLS).fill(NEVER);
    /** Whether cells that the player has not seen are shown, dimmed. */
    this.unseen = true;
    /** How many times larger than the frame the map is; it then moves with the player. */
    this.zoom = 1;
  }

  /** @param {Recording} recording */
  draw(recording) {
    const { moment } = recording;
    for (let cell = 0; cell < CELLS; cell++) {
      const seen = recording.firstSeen[cell] <= moment;
      const look = seen ? recording.cells[cell] : this.unseen ? recording.cells[cell] | UNSEEN : HIDDEN;
      if (look !== this.drawn[cell]) this.paint(cell, look);
    }
    this.mark(recording);
    this.place(recording);
  }

  /** @param {Recording} recording */
  place({ moment, x, y }) {
    const most = 100 * (1 - 1 / this.zoom);
    const [left, top] = [x[moment], y[moment]].map((at) => {
      const share = (100 * (at + 0.5)) / AREA - 50 / this.zoom;
      return -Math.min(most, Math.max(0, share));
    });
    const moved = `scale(${this.zoom}) translate(${left}%, ${top}%)`;
    for (const { canvas } of [this.pen, this.over]) canvas.style.transform = moved;
  }

  /**
   * @param {number} cell
   * @param {number} look
   */
  paint(cell, look) {
    this.drawn[cell] = look;
    const x = Math.floor(cell / AREA) * SIDE, y = (cell % AREA) * SIDE;
    const thing = (look & ~UNSEEN) >> MATERIAL_BITS;
    if (look < HIDDEN) this.brush.cell(this.pen, look & MATERIAL, thing, x, y, SIDE);
    if (look >= UNSEEN) {
      this.pen.fillStyle = look < HIDDEN ? "rgba(18, 20, 26, 0.68)" : "rgb(18, 20, 26)";
      this.pen.fillRect(x, y, SIDE, SIDE);
    }
  }

  /**
   * Show the player, its last steps, and what it sees.
   * @param {Recording} recording
   */
  mark(recording) {
    const pen = this.over, { moment, x, y } = recording;
    pen.clearRect(0, 0, AREA * SIDE, AREA * SIDE);
    this.trail(recording);
    const left = (x[moment] - (VIEW_WIDTH >> 1)) * SIDE, top = (y[moment] - (VIEW_HEIGHT >> 1)) * SIDE;
    for (const [width, colour] of /** @type {[number, string][]} */ ([[7, "#14161a"], [3, "#fff"]])) {
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.strokeRect(left, top, VIEW_WIDTH * SIDE, VIEW_HEIGHT * SIDE);
    }
    this.brush.sprite(
      pen, APPEARANCES, PLAYERS + recording.pose[moment],
      x[moment] * SIDE - 6, y[moment] * SIDE - 6, SIDE + 12,
    );
  }

  /** @param {Recording} recording */
  trail({ moment, x, y }) {
    const pen = this.over, length = 80;
    pen.lineWidth = 5;
    pen.lineCap = "round";
    for (let i = Math.max(1, moment - length); i <= moment; i++) {
      pen.strokeStyle = `rgba(255, 138, 76, ${1 - (moment - i) / length})`;
      pen.beginPath();
      pen.moveTo((x[i - 1] + 0.5) * SIDE, (y[i - 1] + 0.5) * SIDE);
      pen.lineTo((x[i] + 0.5) * SIDE, (y[i] + 0.5) * SIDE);
      pen.stroke();
    }
  }
}

/** What the player sees, by day, by night and asleep; the noise of the night is left out. */
class ViewDrawing {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Brush} brush
   */
  constructor(canvas, brush) {
    this.pen = crisp(canvas);
    this.brush = brush;
    this.side = canvas.width / VIEW_WIDTH;
  }

  /** @param {Recording} recording */
  draw(recording) {
    const { moment, cells } = recording;
    const left = recording.x[moment] - (VIEW_WIDTH >> 1), top = recording.y[moment] - (VIEW_HEIGHT >> 1);
    for (let column = 0; column < VIEW_WIDTH; column++) {
      for (let row = 0; row < VIEW_HEIGHT; row++) {
        const x = left + column, y = top + row;
        const inside = x >= 0 && y >= 0 && x < AREA && y < AREA;
        const cell = inside ? cells[x * AREA + y] : 0;
        const me = column === VIEW_WIDTH >> 1 && row === VIEW_HEIGHT >> 1;
        const appearance = me ? PLAYERS + recording.pose[moment] : cell >> MATERIAL_BITS;
        this.brush.cell(this.pen, cell & MATERIAL, appearance, column * this.side, row * this.side, this.side);
      }
    }
    this.light(recording.daylight[moment] / 255, recording.pose[moment] === ASLEEP);
    this.target(recording.facing());
  }

  /**
   * @param {number} daylight
   * @param {boolean} asleep
   */
  light(daylight, asleep) {
    this.wash("saturation", `rgba(128, 128, 128, ${asleep ? 1 : 0.6 * (1 - daylight)})`);
    this.wash("source-over", `rgba(${NIGHT}, ${0.5 * (1 - daylight)})`);
    if (asleep) this.wash("source-over", `rgba(${SLEEP}, 0.5)`);
  }

  /**
   * @param {GlobalCompositeOperation} how
   * @param {string} colour
   */
  wash(how, colour) {
    this.pen.globalCompositeOperation = how;
    this.pen.fillStyle = colour;
    this.pen.fillRect(0, 0, VIEW_WIDTH * this.side, VIEW_HEIGHT * this.side);
    this.pen.globalCompositeOperation = "source-over";
  }

  /**
   * A frame around the cell that the player looks at.
   * @param {number[]} facing
   */
  target([right, down]) {
    if (!right && !down) return;
    const x = ((VIEW_WIDTH >> 1) + right) * this.side, y = ((VIEW_HEIGHT >> 1) + down) * this.side;
    this.pen.lineWidth = 2;
    this.pen.strokeStyle = "rgba(255, 255, 255, 0.85)";
    this.pen.strokeRect(x + 1, y + 1, this.side - 2, this.side - 2);
  }
}
