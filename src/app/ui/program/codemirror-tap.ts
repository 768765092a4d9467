import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, repositionTooltips, showTooltip, type Tooltip } from "@codemirror/view";
import type { Hover } from "#app/language-service";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { EditorEvents } from "./editor.ts";
import { helpAddress } from "./help-address.ts";

const setCard = StateEffect.define<Tooltip | null>();

const cardField = StateField.define<Tooltip | null>({
  create: () => null,
  update: (card, { effects, docChanged }) => {
    const asked = effects.find((effect) => effect.is(setCard));
    if (asked !== undefined) return asked.value;
    return docChanged ? null : card;
  },
  provide: (field) => showTooltip.from(field),
});

/**
 * A card that a tap opens, as a resting mouse would: the meaning of a word, its faults and fixes.
 */
export function tapCard(
  events: EditorEvents,
  faultsAt: (offset: number) => readonly Diagnostic[],
): Extension {
  return [
    cardField,
    EditorView.domEventHandlers({
      click: (event, view) => {
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset !== null && view.state.selection.main.empty) {
          void showCard(view, offset, events, faultsAt(offset));
        }
        return false;
      },
      keydown: (event, view) => {
        if (event.key === "Escape") view.dispatch({ effects: setCard.of(null) });
        return false;
      },
    }),
  ];
}

/** The most changes on a card. */
const mostActions = 3;

async function showCard(
  view: EditorView,
  offset: number,
  events: EditorEvents,
  faults: readonly Diagnostic[],
): Promise<void> {
  const [reply, target, place] = await Promise.all([
    events.ask({ kind: "hover", offset }),
    events.ask({ kind: "rename-target", offset }),
    events.ask({ kind: "definition", offset }),
  ]);
  if (reply === undefined) return;
  const hover = reply.kind === "hover" ? reply.hover : undefined;
  const canRename = target?.kind === "rename-target" && target.target.ok;
  const definition = place?.kind === "definition" ? place.span : undefined;
  const isElsewhere = definition !== undefined && !isInside(definition, offset);
  const isEmpty = hover === undefined && faults.length === 0;
  const pos = hover?.span.from ?? faults[0]?.span?.from ?? offset;
  const close = () => view.dispatch({ effects: setCard.of(null) });
  const card: Tooltip = {
    pos: Math.min(pos, view.state.doc.length),
    above: true,
    create: () => {
      const dom = cardOf(hover, faults, events, close);
      const row = document.createElement("div");
      row.className = "tap-row";
      if (canRename) row.append(button("Rename", () => events.onRename(offset), close));
      if (isElsewhere) row.append(button("Definition", () => events.onReveal(definition), close));
      if (row.childElementCount > 0) dom.append(row);
      void addActions(view, dom, offset, events, close);
      return { dom };
    },
  };
  view.dispatch({ effects: setCard.of(isEmpty ? null : card) });
}

/** Adds the edits that avoid redistributions at this place, once they are computed. */
async function addActions(
  view: EditorView,
  card: HTMLElement,
  offset: number,
  { ask, onFix }: EditorEvents,
  close: () => void,
): Promise<void> {
  const reply = await ask({ kind: "actions", offset });
  if (reply?.kind !== "actions" || !card.isConnected) return;
  const actions = reply.actions.slice(0, mostActions);
  card.append(...actions.map((fix) => button(fix.title, () => onFix(fix), close)));
  repositionTooltips(view);
}

function isInside({ from, to }: Span, offset: number): boolean {
  return from <= offset && offset <= to;
}

function cardOf(
  hover: Hover | undefined,
  faults: readonly Diagnostic[],
  { onFix }: EditorEvents,
  close: () => void,
): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "tap-card";
  dom.setAttribute("role", "status");
  if (hover !== undefined) {
    dom.append(line("code", hover.title), ...hover.lines.map((text) => line("p", text)));
  }
  for (const { code, message, severity, fixes = [] } of faults) {
    dom.append(line("p", `${severity === "info" ? "note" : severity}: ${message}`, severity));
    dom.append(helpLink(code), ...fixes.map((fix) => button(fix.title, () => onFix(fix), close)));
  }
  return dom;
}

function line(tag: "p" | "code", text: string, severity?: Diagnostic["severity"]): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  if (severity !== undefined) element.dataset["severity"] = severity;
  return element;
}

/** A link to the catalogue's entry on a diagnostic. */
function helpLink(code: string): HTMLElement {
  const link = document.createElement("a");
  link.className = "help";
  link.href = helpAddress(code);
  link.target = "_blank";
  link.rel = "noreferrer";
  link.textContent = code;
  const rest = document.createElement("span");
  rest.className = "vh";
  rest.textContent = " explained, in a new tab";
  link.append(rest);
  return link;
}

function button(text: string, act: () => void, close: () => void): HTMLElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "btn line";
  element.textContent = text;
  element.addEventListener("click", () => {
    close();
    act();
  });
  return element;
}
