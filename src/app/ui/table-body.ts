import type { TableRow } from "#app/scene";

/**
 * Writes the rows of a table directly into the page: there are thousands, and none of them changes
 * in part.
 */
export function writeRows(body: HTMLTableSectionElement, rows: readonly TableRow[]): void {
  const page = body.ownerDocument;
  const pattern = emptyRow(page, rows[0]?.ranges.length ?? 0);
  const written = page.createDocumentFragment();
  for (const row of rows) written.append(filled(pattern, row));
  body.replaceChildren(written);
}

/** A row as data: its device, one cell per dim, the local shape and the state. */
function emptyRow(page: Document, dims: number): HTMLTableRowElement {
  const row = page.createElement("tr");
  const device = page.createElement("th");
  device.scope = "row";
  row.append(device);
  for (let at = 0; at < dims + 2; at += 1) row.append(page.createElement("td"));
  return row;
}

function filled(pattern: HTMLTableRowElement, row: TableRow): Node {
  const copy = pattern.cloneNode(true);
  if (!(copy instanceof HTMLTableRowElement)) return copy;
  copy.dataset["device"] = `${row.device}`;
  const [device, ...cells] = copy.cells;
  if (device !== undefined) device.textContent = `${row.device}`;
  for (const [dim, { start, stop, text }] of row.ranges.entries()) {
    const cell = cells[dim];
    if (cell === undefined) continue;
    cell.dataset["start"] = `${start}`;
    cell.dataset["stop"] = `${stop}`;
    cell.textContent = text;
  }
  const [shape, state] = cells.slice(row.ranges.length);
  if (shape !== undefined) {
    shape.dataset["localShape"] = row.localShape.join(",");
    shape.textContent = row.localShape.join(" × ");
  }
  if (state !== undefined) state.textContent = row.state;
  return copy;
}
