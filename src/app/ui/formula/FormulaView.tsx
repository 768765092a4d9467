import { type ExplainedPart, formatAmount, joinText, termText } from "#app/scene/text";
import type { Formula } from "#core/collective";
import { keyed } from "../drawing/keyed.ts";

/** Formula of a figure: its terms in symbols and in numbers, and the model that it comes from. */
export function FormulaView({ formula }: { readonly formula: Formula }) {
  const { name, value, unit, terms, source } = formula;
  return (
    <div className="formula" data-testid="formula" data-value={value}>
      <p>
        <b>{name}</b> {formatAmount(value, unit)}
        {joinText(formula) !== "" && `, ${joinText(formula)}`}
      </p>
      <dl>
        {keyed(terms).map(({ key, item: term }) => {
          const { symbols, numbers } = termText(term);
          return (
            <div key={key} data-testid="formula-term" data-value={term.value}>
              <dt>{term.name}</dt>
              <dd className="mono">
                {symbols !== numbers && symbols !== term.name && (
                  <span className="symbols">{symbols} =</span>
                )}{" "}
                <span>{numbers}</span>{" "}
                {numbers !== formatAmount(term.value, unit) && (
                  <span>= {formatAmount(term.value, unit)}</span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="mut">{source}</p>
    </div>
  );
}

/** Parts that add up to a row of a table, each with its formulas. */
export function PartFormulas({
  parts,
  unit,
}: {
  readonly parts: readonly ExplainedPart[];
  readonly unit: "s" | "B";
}) {
  return keyed(parts).map(({ key, item: { name, value, runs, formulas } }) => (
    <div key={key} className="part-formulas">
      {(parts.length > 1 || runs > 1) && (
        <p className="mut">
          {name}: {formatAmount(value, unit)}
          {runs > 1 && `, ${runs} times`}
        </p>
      )}
      {formulas.length === 0 ? (
        <p>It is counted from its messages one by one: no closed formula gives it.</p>
      ) : (
        keyed(formulas).map(({ key: at, item }) => <FormulaView key={at} formula={item} />)
      )}
    </div>
  ));
}
