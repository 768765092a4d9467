// Runs inside a page that was saved: shows its pictures one after the other. No network, no storage.
const packed = document.getElementById("packed").textContent.trim();
const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
const { slides, tables } = JSON.parse(await new Response(stream).text());

const [list, drawing, caption] = ["list", "drawing", "caption"].map((id) =>
  document.getElementById(id),
);
const [back, forth, blank] = ["back", "forth", "blank"].map((id) => document.getElementById(id));
let at = 0;

function show(next) {
  at = Math.max(0, Math.min(next, slides.length - 1));
  const { title, svg } = slides[at];
  // The pictures are of this file, written by the program that wrote it.
  drawing.innerHTML = svg;
  enlarge();
  caption.textContent = `${at + 1} of ${slides.length}: ${title}`;
  list.value = String(at);
  back.disabled = at === 0;
  forth.disabled = at === slides.length - 1;
}

/** Enlarges the picture to the width of its room, up to twice; a wider picture is scrolled. */
function enlarge() {
  const picture = drawing.firstElementChild;
  const { width, height } = picture.viewBox.baseVal;
  const by = Math.max(1, Math.min(2, (drawing.clientWidth - 18) / width));
  picture.setAttribute("width", String(width * by));
  picture.setAttribute("height", String(height * by));
}

let group;
for (const [index, { part, title }] of slides.entries()) {
  if (group?.label !== part) {
    group = list.appendChild(document.createElement("optgroup"));
    group.label = part;
  }
  group.appendChild(new Option(title, String(index)));
}
list.addEventListener("change", () => show(Number(list.value)));
back.addEventListener("click", () => show(at - 1));
forth.addEventListener("click", () => show(at + 1));
blank.addEventListener("click", () => {
  blank.hidden = true;
});
addEventListener("resize", enlarge);
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (ctrlKey || metaKey || altKey || target === list) return;
  if (key === "ArrowRight" || key === "PageDown") show(at + 1);
  if (key === "ArrowLeft" || key === "PageUp") show(at - 1);
  if (key === "b" || key === "B") blank.hidden = !blank.hidden;
});
document.getElementById("tables").innerHTML = tables;
show(0);
document.documentElement.dataset.ready = "true";
