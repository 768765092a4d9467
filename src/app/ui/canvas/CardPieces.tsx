import type { CSSProperties, ReactNode } from "react";
import type { AnnotationRun, CardPiece, CardRow } from "#app/scene/card";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { StatusMark } from "../atoms/StatusMark.tsx";
import { TensorName } from "../atoms/TensorName.tsx";
import { keyed } from "../drawing/keyed.ts";
import { LabelRuns } from "../drawing/LayoutLabel.tsx";

interface Props {
  readonly of: readonly CardPiece[];
  /** Whether the pieces are words of one line, separated by spaces. */
  readonly isLine?: boolean;
  /** Whether the pieces are hidden from assistive technology, since another element says them. */
  readonly isHidden?: boolean;
}

/** Words of a card, one element per piece. */
export function CardPieces({ of, isLine = false, isHidden = false }: Props): ReactNode {
  return keyed(of).map(({ key, item }) => [
    isLine && key > 0 ? " " : "",
    <Piece key={key} piece={item} isHidden={isHidden} />,
  ]);
}

interface RowProps {
  readonly className: string;
  readonly row: CardRow | undefined;
  /** Elements that the page adds between the left and the right pieces, and behind them. */
  readonly between?: ReactNode;
  readonly behind?: ReactNode;
}

/** One row of a card. */
export function CardRowView({ className, row, between, behind }: RowProps) {
  return (
    <span className={className}>
      {row !== undefined && <CardPieces of={row.start} />}
      {between}
      {row !== undefined && <CardPieces of={row.end} />}
      {behind}
    </span>
  );
}

interface PieceProps {
  readonly piece: CardPiece;
  readonly isHidden: boolean;
}

function Piece({ piece, isHidden }: PieceProps): ReactNode {
  switch (piece.kind) {
    case "words":
      return <Words piece={piece} isHidden={isHidden} />;
    case "label":
      return <LabelRuns segments={piece.segments} />;
    case "annotation":
      return (
        <span className="anno">
          {keyed(piece.runs).map(({ key, item }) => (
            <Run key={key} run={item} />
          ))}
        </span>
      );
    case "status":
      return <StatusMark status={piece.status} />;
    case "chips":
      return <Chips piece={piece} />;
    case "step":
      return (
        <span className="badge-step">
          <CollectiveIcon collective={piece.collective} />
          <span>{piece.collective}</span>
          {piece.axes.map((tag) => (
            <AxisChip key={tag.text} tag={tag} />
          ))}
        </span>
      );
  }
}

/** CSS class of a piece by its kind; names and counts are bold. */
const classes = {
  call: "src",
  about: "by",
  detail: undefined,
  tag: "tag",
  numbers: "q",
  result: undefined,
} as const;
const boldClasses = { name: undefined, count: "stack-count", of: "of" } as const;

interface WordsProps {
  readonly piece: Extract<CardPiece, { kind: "words" }>;
  readonly isHidden: boolean;
}

function Words({ piece, isHidden }: WordsProps) {
  const { role, text, title } = piece;
  const hidden = isHidden ? true : undefined;
  switch (role) {
    case "tensor":
    case "state":
      return <TensorName name={text} />;
    case "name":
    case "count":
    case "of":
      return (
        <b className={boldClasses[role]} aria-hidden={hidden}>
          {text}
        </b>
      );
    default:
      return (
        <span className={classes[role]} title={title} aria-hidden={hidden}>
          {text}
        </span>
      );
  }
}

function Run({ run: { text, hues } }: { readonly run: AnnotationRun }) {
  const [first, second] = hues;
  if (first === undefined) return text;
  if (second === undefined) return <span className={`id a${first}`}>{text}</span>;
  const colours: CSSProperties & Record<"--c1" | "--c2", string> = {
    "--c1": `var(--axis-${first})`,
    "--c2": `var(--axis-${second})`,
  };
  return (
    <span className="id two" style={colours}>
      {text}
    </span>
  );
}

function Chips({ piece }: { readonly piece: Extract<CardPiece, { kind: "chips" }> }) {
  return (
    <span className="strat">
      {piece.chips.map(({ identifier, axes }) => (
        <span key={identifier} className={`sc ${piece.status}`}>
          <span>{identifier}</span>
          {axes.map((tag) => (
            <AxisChip key={tag.text} tag={tag} />
          ))}
        </span>
      ))}
    </span>
  );
}
