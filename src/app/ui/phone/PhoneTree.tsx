import { useEffect, useMemo, useRef } from "react";
import type { ModuleLine, OutlineItem } from "#app/scene/board";
import type { ListRow } from "#app/scene/graph";
import type { Compiled } from "#compile";
import { openModulesTo, toggleModule } from "../board/open-modules.ts";
import { useModuleOutline } from "../board/use-module-outline.ts";
import { ViewsSwitch } from "../board/ViewsSwitch.tsx";
import { useDifference } from "../compare/difference-context.ts";
import { RowDifference } from "../compare/RowDifference.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { PhoneModule, PhoneSend } from "./PhoneModule.tsx";
import { PhonePhases } from "./PhonePhases.tsx";
import { PhoneRow } from "./PhoneRow.tsx";
import { PhoneOtherOperator, rowId } from "./PhoneSteps.tsx";

/** The modules of the text as a list: a tap opens one, and what is sent stands beneath its operator. */
export function PhoneTree({ compiled }: { readonly compiled: Compiled }) {
  const { view, lines, hiddenOperators, hiddenTime } = useModuleOutline(compiled, false);
  const store = useAppStore();
  const difference = useDifference(compiled);
  useOpenChosen(compiled, view);
  const listed = useMemo(
    () => new Set(lines.flatMap((line) => (line.kind === "operator" ? [line.operator] : []))),
    [lines],
  );
  return (
    <>
      <div className="list-views">
        <ViewsSwitch hidden={hiddenOperators} time={hiddenTime} />
      </div>
      {lines.map((line) => (
        <div key={line.id} className={line.level > 1 ? "in" : ""} style={indent(line)}>
          {line.kind === "module" ? (
            <PhoneModule line={line} toggle={() => toggleModule(store, view.open, line.key)} />
          ) : (
            <Line {...{ line, compiled, difference }} />
          )}
        </div>
      ))}
      <PhonePhases compiled={compiled} />
      <PhoneOtherOperator listed={listed} />
    </>
  );
}

function indent({ level }: OutlineItem) {
  return { paddingLeft: 12 * Math.min(4, level - 1) };
}

interface LineProps {
  readonly line: Exclude<OutlineItem, ModuleLine>;
  readonly compiled: Compiled;
  readonly difference: ReturnType<typeof useDifference>;
}

function Line({ line, compiled, difference }: LineProps) {
  const row = listRowOf(line);
  return (
    <>
      {line.kind === "send" ? (
        <PhoneSend line={line} compiled={compiled} />
      ) : (
        <PhoneRow row={row} compiled={compiled} />
      )}
      {difference !== undefined && <RowDifference row={row} difference={difference} />}
    </>
  );
}

/** The line as a row of the list's boxes. */
function listRowOf(line: LineProps["line"]): ListRow {
  const { id } = line;
  switch (line.kind) {
    case "send":
      return { kind: "redistribution", id, redistribution: line.redistribution, badge: line.badge };
    case "operator":
      return { kind: "operator", id, operator: line.operator };
    default:
      return { kind: "tensor", id, tensor: line.tensor };
  }
}

/** Opens the modules around a selection made elsewhere, and scrolls to its row. */
function useOpenChosen(compiled: Compiled, view: Parameters<typeof openModulesTo>[2]): void {
  const chosen = useApp((state) => state.chosen);
  const store = useAppStore();
  const opened = useRef<typeof chosen>(undefined);
  const seen = useRef<typeof chosen>(undefined);
  useEffect(() => {
    if (chosen === undefined || chosen === seen.current) return;
    const id = chosen.tensor === undefined ? undefined : rowId(chosen.tensor);
    const row = id === undefined ? null : document.getElementById(id);
    if (row !== null) {
      seen.current = chosen;
      row.scrollIntoView({ block: "nearest" });
      return;
    }
    if (opened.current === chosen) return;
    opened.current = chosen;
    openModulesTo(store, compiled, view, chosen);
  }, [chosen, compiled, view, store]);
}
