import { BookOpen, Copy, FileImage, FileText, Image, Images, Table } from "lucide-react";
import { useMemo, useState } from "react";
import {
  framePicture,
  legendPicture,
  meshPicture,
  operatorPicture,
  type PictureLook,
  type SvgTheme,
  spacePicture,
  stepPictures,
  stripPicture,
  tensorPicture,
} from "#app/scene/svg";
import { planMarkdown } from "#app/scene/text";
import { svgMetadata } from "#app/share";
import { projectedOperator, selectedTensor, shown, titleOf } from "#app/state";
import type { Compiled } from "#compile";
import type { Operator, Tensor } from "#core/ir";
import { Segmented } from "../atoms/Segmented.tsx";
import { SaveGraph } from "../index-space/SaveGraph.tsx";
import { type Player, usePlayer } from "../player/use-player.ts";
import { useApp } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import { CodeSection } from "./CodeSection.tsx";
import { type DrawnPlan, drawnPlan, useDrawnPlan } from "./drawn-plan.ts";
import { pictureAddress } from "./picture-address.ts";
import { SaveRow } from "./SaveRow.tsx";
import { copyPicture, savePng, saveSvg, saveText, saveZip } from "./save-picture.ts";

const themes = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["mono", "No colours"],
] as const;

const widths = [
  ["screen", "Screen"],
  ["85", "85 mm"],
  ["170", "170 mm"],
] as const;

type Subject = "canvas" | "tensor" | "step" | "mesh" | "legend" | "space" | "strip";

/** Export of pictures (of the plan, a tensor or the shown step) and of the plan as texts. */
export function ExportSection({ fragment }: { readonly fragment: string }) {
  const compiled = useApp(shown);
  const tensor = useApp(selectedTensor);
  const drawn = useDrawnPlan();
  const player = usePlayer();
  const hops = useApp((state) => state.hops);
  const operator = useApp(projectedOperator);
  const current = useResolvedTheme();
  const [theme, setTheme] = useState<SvgTheme>(current);
  const [width, setWidth] = useState<(typeof widths)[number][0]>("screen");
  const [wanted, setSubject] = useState<Subject>("canvas");
  const hasHops = player?.frame !== undefined;
  const isFrame = hasHops || player?.operator !== undefined;
  const has = { isFrame, hasHops, hasSpace: operator !== undefined };
  const subject = isThere(wanted, has) ? wanted : "canvas";
  const look = useMemo<PictureLook>(
    () => ({
      theme,
      metadata: svgMetadata(fragment),
      ...(width !== "screen" && { millimetres: Number(width) }),
    }),
    [theme, fragment, width],
  );
  const picture = useMemo(
    () => compiled && pictureOf({ compiled, drawn, tensor, player, operator, hops, subject }, look),
    [compiled, drawn, tensor, player, operator, hops, subject, look],
  );
  if (compiled === undefined || tensor === undefined || picture === undefined) return null;
  const { choices, figures } = subjectsOf(tensor, has);
  return (
    <>
      <section className="export" aria-label="Save a picture">
        <h3>Save a picture, with the plan inside</h3>
        <div className="export-row">
          <Segmented label="Picture of" value={subject} choices={choices} onChange={setSubject} />
          <Segmented label="Figure of" value={subject} choices={figures} onChange={setSubject} />
          <Segmented label="Picture's theme" value={theme} choices={themes} onChange={setTheme} />
          <Segmented label="Picture's width" value={width} choices={widths} onChange={setWidth} />
        </div>
        <div className="export-preview">
          <img src={pictureAddress(picture.svg)} alt="" />
        </div>
        <PictureRows
          picture={picture}
          fragment={fragment}
          hops={hops}
          onSaveSteps={() => saveZip(stepPictures(compiled, look, { hops }), "steps")}
        />
        <p className="mut">
          Opened, dropped or pasted here, such a picture opens its plan beside your draft.
        </p>
        <SaveTexts compiled={compiled} fragment={fragment} theme={theme} />
      </section>
      <CodeSection compiled={compiled} />
    </>
  );
}

/** Which subjects besides the plan are available. */
type Has = Readonly<Record<"isFrame" | "hasHops" | "hasSpace", boolean>>;

function isThere(subject: Subject, { isFrame, hasHops, hasSpace }: Has): boolean {
  if (subject === "step") return isFrame;
  if (subject === "strip") return hasHops;
  return subject !== "space" || hasSpace;
}

/** The subjects on offer: drawings of the plan, and other figures. */
function subjectsOf(tensor: Tensor, has: Has) {
  const choices = [
    ["canvas", "Whole plan"] as const,
    ["tensor", `Tensor ${tensor.name}`] as const,
    ...(has.isFrame ? [["step", "This step"] as const] : []),
  ];
  const figures = [
    ["mesh", "Mesh"] as const,
    ["legend", "Legend"] as const,
    ...(has.hasSpace ? [["space", "Index space"] as const] : []),
    ...(has.hasHops ? [["strip", "All hops"] as const] : []),
  ];
  return { choices, figures };
}

interface PictureRowsProps {
  readonly picture: Picture;
  readonly fragment: string;
  readonly hops: "logical" | "ring";
  readonly onSaveSteps: () => void;
}

/** Buttons that save or copy the picture, or save pictures of all steps. */
function PictureRows({ picture, fragment, hops, onSaveSteps }: PictureRowsProps) {
  return (
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
      <CopyRow svg={picture.svg} fragment={fragment} />
      <SaveRow
        icon={Images}
        name="Save all steps"
        what={hops === "ring" ? "an SVG of each hop, in one ZIP" : "an SVG of each, in one ZIP"}
        onSave={onSaveSteps}
      />
    </div>
  );
}

/** A button that copies the picture; pasted into the app, it opens its plan. */
function CopyRow({ svg, fragment }: { readonly svg: string; readonly fragment: string }) {
  const say = useApp((state) => state.say);
  const copy = () => {
    const address = `${location.origin}${location.pathname}${fragment}`;
    copyPicture(svg, address).then(
      () => say({ kind: "said", text: "The picture is on the clipboard." }),
      () =>
        say({ kind: "refused", text: "This browser does not let pictures be copied: save it." }),
    );
  };
  return <SaveRow icon={Copy} name="Copy picture" what="pasted here, it opens" onSave={copy} />;
}

interface SaveTextsProps {
  readonly compiled: Compiled;
  readonly fragment: string;
  readonly theme: SvgTheme;
}

/** Buttons that save the text, a Markdown table, a single page and the program as a graph. */
function SaveTexts({ compiled, fragment, theme: pictures }: SaveTextsProps) {
  const theme = pictures === "dark" ? pictures : "light";
  const title = useApp(titleOf);
  const lesson = useApp((state) => state.lesson);
  const say = useApp((state) => state.say);
  const saveOne = async () => {
    const address = `${location.origin}${location.pathname}${fragment}`;
    say({ kind: "said", text: "Writing the page." });
    const { saveOnePage } = await import("../one-page/save-one-page.ts");
    if (saveOnePage({ compiled, title, address, theme }, lesson)) {
      say({ kind: "said", text: "The page is saved." });
      return;
    }
    say({ kind: "refused", text: "The plan is too large for one page: save the text." });
  };
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
          onSave={() => saveText(planMarkdown(compiled), "plan.md")}
        />
        <SaveRow
          icon={BookOpen}
          name="Save one page"
          what={lesson === undefined ? "opens from disk" : "with the lesson, opens from disk"}
          onSave={() => void saveOne()}
        />
        <SaveGraph />
      </div>
    </>
  );
}

interface Wanted {
  readonly compiled: Compiled;
  readonly drawn: DrawnPlan;
  readonly tensor: Tensor | undefined;
  readonly player: Player | undefined;
  /** The operator whose index space is drawn. */
  readonly operator: Operator | undefined;
  readonly hops: "logical" | "ring";
  readonly subject: Subject;
}

/** A picture and its file name without extension. */
interface Picture {
  readonly svg: string;
  readonly name: string;
}

/** The picture of a subject; `undefined` if the subject is not available. */
function pictureOf(
  { compiled, drawn, tensor, player, operator, hops, subject }: Wanted,
  look: PictureLook,
): Picture | undefined {
  const named = (svg: string | undefined, name: string) =>
    svg === undefined ? undefined : { svg, name };
  if (subject === "canvas") return named(drawnPlan(compiled, look, drawn), "plan");
  if (subject === "tensor") {
    return tensor && named(tensorPicture(compiled, tensor.id, look), tensor.name);
  }
  if (subject === "mesh") return named(meshPicture(compiled, look), "mesh");
  if (subject === "legend") return named(legendPicture(compiled, look), "legend");
  if (subject === "space") {
    return operator && named(spacePicture(compiled, operator.id, look), `${operator.name}-space`);
  }
  if (subject === "strip") {
    const { index } = player ?? {};
    return index === undefined
      ? undefined
      : named(stripPicture(compiled, index, look, hops), `${tensor?.name ?? "step"}-hops`);
  }
  if (player?.operator !== undefined) {
    const { operator: run } = player;
    return named(operatorPicture(run, look, run.caption), `${run.name}-step`);
  }
  if (player?.frame === undefined) return undefined;
  return named(framePicture(player.frame, look), `${tensor?.name ?? "step"}-step`);
}
