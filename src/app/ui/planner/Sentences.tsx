import type { PlanSentence } from "#app/engine";
import { hueOf } from "#app/scene";
import { shown } from "#app/state";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly sentences: readonly PlanSentence[];
  /** Whether they describe the plan as chosen: a choice of parts may still be weighed. */
  readonly isWeighed: boolean;
}

/** A plan as an engineer would tell it, each mesh axis in its hue. */
export function Sentences({ sentences, isWeighed }: Props) {
  const mesh = useApp((state) => shown(state)?.mesh.mesh);
  return (
    <div className="planner-sentences" data-testid="plan-sentences" aria-busy={!isWeighed}>
      {sentences.map((sentence) => (
        <p key={JSON.stringify(sentence)}>
          {sentence.map((part, at) => {
            const key = `${at} ${JSON.stringify(part)}`;
            if (typeof part === "string") return <span key={key}>{part}</span>;
            if ("strong" in part) return <b key={key}>{part.strong}</b>;
            const hue = mesh === undefined ? "" : `a${hueOf(mesh, part.axis)}`;
            return (
              <b key={key} className={`tk mono ${hue}`}>
                {part.axis}
              </b>
            );
          })}
        </p>
      ))}
    </div>
  );
}
