import { type AnnotationRun, annotationRuns } from "#app/scene/card";
import { projectedOperator, shown } from "#app/state";
import { keyed } from "../drawing/keyed.ts";
import { Word } from "../glossary/Word.tsx";
import { useApp } from "../store-context.tsx";

/** The annotation of the shown operator; the first dim that it sums over explains its `+`. */
export function AnnotationLine() {
  const operator = useApp(projectedOperator);
  const compiled = useApp(shown);
  if (operator === undefined) return null;
  const runs = annotationRuns(operator.annotation, compiled?.plan.operators.get(operator.id));
  const first = runs.findIndex(({ text }) => text.endsWith("+"));
  return (
    <p className="mono annotation-line" data-testid="annotation-line">
      {keyed(runs).map(({ key, item }) =>
        key === first ? (
          <Word key={key} term="k+">
            <Run run={item} />
          </Word>
        ) : (
          <Run key={key} run={item} />
        ),
      )}
    </p>
  );
}

function Run({ run: { text, hues } }: { readonly run: AnnotationRun }) {
  const [hue] = hues;
  return hue === undefined ? text : <b className={`tk a${hue}`}>{text}</b>;
}
