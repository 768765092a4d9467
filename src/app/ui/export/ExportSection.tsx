import { useMemo, useRef, useState } from "react";
import { labelIn, sentenceOf } from "#app/scene";
import { type Compiled, selectedTensor, shown, svgMetadata, tensorView } from "#app/state";
import type { Tensor } from "#core/ir";
import { Segmented } from "../atoms/Segmented.tsx";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { usePlayer } from "../player/use-player.ts";
import { useApp } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import { savePng, saveSvg, saveText } from "./save-picture.ts";
import { stillSvg } from "./still-svg.ts";

const themes = [
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

const size = { width: 280, height: 180 };

/** Pictures of the tensor or the step that is looked at; each carries the link of the plan. */
export function ExportSection({ fragment }: { readonly fragment: string }) {
  const compiled = useApp(shown);
  const tensor = useApp(selectedTensor);
  const source = useApp((state) => state.document.source);
  const player = usePlayer();
  const current = useResolvedTheme();
  const [theme, setTheme] = useState(current);
  const [what, setWhat] = useState<"tensor" | "step">("tensor");
  const preview = useRef<HTMLDivElement>(null);
  if (compiled === undefined || tensor === undefined) return null;
  const frame = player?.frame;
  const isStep = what === "step" && frame !== undefined;
  const words = wordsOf(compiled, tensor);
  const picture = () => {
    const drawing = preview.current?.querySelector("svg");
    if (!(drawing instanceof SVGSVGElement)) return undefined;
    const caption = isStep ? frame.caption : words.caption;
    const title = isStep ? `${frame.caption} ${frame.groupsText}` : words.sentence;
    return stillSvg(drawing, { theme, caption, title, metadata: svgMetadata(fragment) });
  };
  const save = (kind: "svg" | "png") => {
    const svg = picture();
    const name = isStep ? `${tensor.name}-step` : tensor.name;
    if (svg === undefined) return;
    if (kind === "svg") saveSvg(svg, name);
    else void savePng(svg, name, fragment);
  };
  const choices = [
    ["tensor", `Tensor ${tensor.name}`] as const,
    ...(frame === undefined ? [] : [["step", "This step"] as const]),
  ];
  return (
    <section className="export" aria-label="Save a picture">
      <h3>Save a picture, with the plan inside</h3>
      <div className="export-row">
        <Segmented label="Picture of" value={what} choices={choices} onChange={setWhat} />
        <Segmented label="Picture's theme" value={theme} choices={themes} onChange={setTheme} />
      </div>
      <div className="export-preview" ref={preview} aria-hidden="true">
        {isStep ? (
          <FrameDrawing frame={frame} phase="move" />
        ) : (
          <TensorPicture {...{ compiled, tensor }} />
        )}
      </div>
      <div className="export-row">
        <button type="button" className="btn line" onClick={() => save("svg")}>
          Save SVG
        </button>
        <button type="button" className="btn line" onClick={() => save("png")}>
          Save PNG
        </button>
        <button type="button" className="btn line" onClick={() => saveText(source, "plan.py")}>
          Save text
        </button>
      </div>
      <p className="mut">Drop such a file on the page to open its plan beside your draft.</p>
    </section>
  );
}

function TensorPicture({
  compiled,
  tensor,
}: {
  readonly compiled: Compiled;
  readonly tensor: Tensor;
}) {
  const layout = tensorView(compiled, tensor.id)?.layout;
  const drawn = useMemo(
    () => layout && { layout, shape: tensor.shape, dimNames: tensor.dimNames },
    [layout, tensor],
  );
  if (drawn === undefined) return null;
  return <Glyph tensor={drawn} size={size} options={{ showIds: true, showNames: true }} />;
}

function wordsOf(compiled: Compiled, tensor: Tensor) {
  const layout = tensorView(compiled, tensor.id)?.layout;
  if (layout === undefined) return { caption: tensor.name, sentence: tensor.name };
  const label = labelIn("ours", layout, tensor.dimNames).map(({ text }) => text);
  const head = `${tensor.name} ${tensor.dtypeText} ${tensor.shape.join(" × ")}`;
  return { caption: `${head} ${label.join("")}`, sentence: sentenceOf(tensor, layout) };
}
