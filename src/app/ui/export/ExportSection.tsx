import { FileImage, FileText, Image, Images, Table } from "lucide-react";
import { useMemo, useState } from "react";
import type { CanvasLayout } from "#app/scene/graph";
import {
  canvasPicture,
  framePicture,
  operatorPicture,
  stepPictures,
  tensorPicture,
} from "#app/scene/svg";
import { planTable } from "#app/scene/text";
import { svgMetadata } from "#app/share";
import { selectedTensor, shown } from "#app/state";
import type { Compiled } from "#compile";
import type { Tensor } from "#core/ir";
import { Segmented } from "../atoms/Segmented.tsx";
import { SaveGraph } from "../index-space/SaveGraph.tsx";
import { type Player, usePlayer } from "../player/use-player.ts";
import { useApp } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import { CodeSection } from "./CodeSection.tsx";
import { pictureAddress } from "./picture-address.ts";
import { SaveRow } from "./SaveRow.tsx";
import { savePng, saveSvg, saveText, saveZip } from "./save-picture.ts";

const themes = [
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

type Subject = "canvas" | "tensor" | "step";

/** Pictures of the plan, a tensor or the step that is looked at, and the plan as texts. */
export function ExportSection({ fragment }: { readonly fragment: string }) {
  const compiled = useApp(shown);
  const tensor = useApp(selectedTensor);
  const placed = useApp((state) => state.laidOut?.layout);
  const player = usePlayer();
  const hops = useApp((state) => state.hops);
  const current = useResolvedTheme();
  const [theme, setTheme] = useState(current);
  const [wanted, setSubject] = useState<Subject>("canvas");
  const isFrame = player?.frame !== undefined || player?.operator !== undefined;
  const subject = wanted === "step" && !isFrame ? "canvas" : wanted;
  const picture = useMemo(
    () => compiled && pictureOf({ compiled, placed, tensor, player, subject }, theme, fragment),
    [compiled, placed, tensor, player, subject, theme, fragment],
  );
  if (compiled === undefined || tensor === undefined || picture === undefined) return null;
  const choices = [
    ["canvas", "Whole plan"] as const,
    ["tensor", `Tensor ${tensor.name}`] as const,
    ...(isFrame ? [["step", "This step"] as const] : []),
  ];
  return (
    <>
      <section className="export" aria-label="Save a picture">
        <h3>Save a picture, with the plan inside</h3>
        <div className="export-row">
          <Segmented label="Picture of" value={subject} choices={choices} onChange={setSubject} />
          <Segmented label="Picture's theme" value={theme} choices={themes} onChange={setTheme} />
        </div>
        <div className="export-preview">
          <img src={pictureAddress(picture.svg)} alt="" />
        </div>
        <div className="save-list">
          <SaveRow
            icon={FileImage}
            name="Save SVG"
            what="sharp at any size"
            onSave={() => saveSvg(picture.svg, picture.name)}
          />
          <SaveRow
            icon={Image}
            name="Save PNG"
            what="for chats and slides"
            onSave={() => void savePng(picture.svg, picture.name, fragment)}
          />
          <SaveRow
            icon={Images}
            name="Save all steps"
            what={hops === "ring" ? "an SVG of each hop, in one ZIP" : "an SVG of each, in one ZIP"}
            onSave={() => {
              const look = { theme, metadata: svgMetadata(fragment) };
              saveZip(stepPictures(compiled, look, { hops }), "steps");
            }}
          />
        </div>
        <p className="mut">
          Opened or dropped here, such a picture opens its plan beside your draft.
        </p>
        <SaveTexts compiled={compiled} />
      </section>
      <CodeSection compiled={compiled} />
    </>
  );
}

/** The plan itself, the table of it for documents, and the program as a graph. */
function SaveTexts({ compiled }: { readonly compiled: Compiled }) {
  const source = useApp((state) => state.document.source);
  return (
    <>
      <h3>Save the plan as text</h3>
      <div className="save-list">
        <SaveRow
          icon={FileText}
          name="Save text"
          what="the program as it stands"
          onSave={() => saveText(source, "plan.py")}
        />
        <SaveRow
          icon={Table}
          name="Save table"
          what="Markdown, for documents"
          onSave={() => saveText(planTable(compiled), "plan.md")}
        />
        <SaveGraph />
      </div>
    </>
  );
}

interface Wanted {
  readonly compiled: Compiled;
  /** Where everything stands on the canvas, with the blocks that are open. */
  readonly placed: CanvasLayout | undefined;
  readonly tensor: Tensor | undefined;
  readonly player: Player | undefined;
  readonly subject: Subject;
}

/** The picture of a subject, and what its file is called. */
function pictureOf(
  { compiled, placed, tensor, player, subject }: Wanted,
  theme: "light" | "dark",
  fragment: string,
): { readonly svg: string; readonly name: string } | undefined {
  const look = { theme, metadata: svgMetadata(fragment) };
  const named = (svg: string | undefined, name: string) =>
    svg === undefined ? undefined : { svg, name };
  if (subject === "canvas") return named(canvasPicture(compiled, look, placed), "plan");
  if (subject === "tensor") {
    return tensor && named(tensorPicture(compiled, tensor.id, look), tensor.name);
  }
  if (player?.operator !== undefined) {
    const { operator } = player;
    return named(operatorPicture(operator, look, operator.caption), `${operator.name}-step`);
  }
  if (player?.frame === undefined) return undefined;
  return named(framePicture(player.frame, look), `${tensor?.name ?? "step"}-step`);
}
