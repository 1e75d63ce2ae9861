// @ts-check
/** Colours as the system has them, light or dark; the choice is kept where the browser lets us. */
function chooseColours() {
  const button = document.getElementById("theme"), name = button?.querySelector("span");
  if (!button) return;
  const choices = ["auto", "light", "dark"];
  /** @param {string} chosen */
  const show = (chosen) => {
    document.documentElement.style.colorScheme = chosen === "auto" ? "light dark" : chosen;
    document.documentElement.dataset.theme = chosen;
    button.setAttribute("aria-label", `Colours: ${chosen}`);
    if (name) name.textContent = chosen;
  };
  show(choices.includes(remembered() ?? "") ? String(remembered()) : "auto");
  button.addEventListener("click", () => {
    const at = choices.indexOf(document.documentElement.dataset.theme ?? "auto");
    const chosen = choices[(at + 1) % choices.length];
    show(chosen);
    remember(chosen);
  });
}

function remembered() {
  try {
    return localStorage.getItem("mars-logic-colours");
  } catch {
    return null;
  }
}

/** @param {string} chosen */
function remember(chosen) {
  try {
    localStorage.setItem("mars-logic-colours", chosen);
  } catch {
    // Some browsers keep nothing for files.
  }
}

/** Tables of rules show all of them, or those of one kind. */
function filterRules() {
  for (const table of document.querySelectorAll(".rule-table")) {
    const buttons = table.querySelectorAll("[data-filter]");
    const choose = (/** @type {Element} */ chosen) => {
      const kind = chosen.getAttribute("data-filter") ?? "";
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
      for (const row of table.querySelectorAll("tbody tr")) {
        const kinds = (row.getAttribute("data-kinds") ?? "").split(" ");
        /** @type {HTMLElement} */ (row).hidden = kind !== "all" && !kinds.includes(kind);
      }
    };
    buttons.forEach((button) => button.addEventListener("click", () => choose(button)));
  }
}

/** Tech trees show what one player unlocked. */
function choosePlayers() {
  for (const select of document.querySelectorAll("select[data-players]")) {
    if (!(select instanceof HTMLSelectElement)) continue;
    select.addEventListener("change", () => {
      for (const group of select.closest("details")?.querySelectorAll("[data-player]") ?? []) {
        const shown = group.getAttribute("data-player") === select.value;
        /** @type {SVGElement} */ (group).style.display = shown ? "" : "none";
      }
    });
  }
}

/**
 * Links such as #e2s57 show episode 2 at step 57.
 * @param {Player} player
 */
function followLinks(player) {
  const follow = () => {
    const found = /^#e(\d+)s(\d+)$/.exec(location.hash);
    if (!found) return false;
    player.load(Number(found[1]), Number(found[2]));
    player.root.focus({ preventScroll: true });
    element("replay", HTMLElement).scrollIntoView();
    return true;
  };
  window.addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.jump") : null;
    if (link?.getAttribute("href") === location.hash) follow(); // no change of the address
  });
  return follow();
}

/** Links such as #g2s7 open the third episode of a game, at its seventh step. */
function openEpisodes() {
  const follow = () => {
    if (!/^#g\d+(s\d+)?$/.test(location.hash)) return;
    const target = document.getElementById(location.hash.slice(1));
    const details = target?.closest("details.told");
    if (!target || !(details instanceof HTMLDetailsElement)) return;
    details.open = true;
    target.scrollIntoView({ block: target === details ? "start" : "center" });
  };
  window.addEventListener("hashchange", follow);
  follow();
}

function begin() {
  chooseColours();
  openEpisodes();
  filterRules();
  choosePlayers();
  if (!document.getElementById("player")) return;
  const report = readReport();
  const sprites = new Image();
  sprites.src = report.sprites;
  sprites.decode().then(() => {
    const player = new Player(report, new Brush(sprites));
    new Films(player);
    if (!followLinks(player)) return player.load(report.first);
  }).catch((error) => {
    element("action", HTMLElement).textContent = `This browser cannot show replays: ${error.message}`;
  });
}

begin();
