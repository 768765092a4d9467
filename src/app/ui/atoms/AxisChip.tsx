interface Tag {
  readonly text: string;
  readonly hue: number;
}

/** Mesh axis by name, in its hue. */
export function AxisChip({ tag }: { readonly tag: Tag }) {
  return <span className={`ax a${tag.hue}`}>{tag.text}</span>;
}
