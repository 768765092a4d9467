import { nameParts } from "#app/scene/graph";

/** Tensor name; where it does not fit, its tail is cut first. */
export function TensorName({ name }: { readonly name: string }) {
  const [head, tail] = nameParts(name);
  return (
    <>
      <b className="nm-head">{head}</b>
      {tail !== "" && <b className="nm-tail">{tail}</b>}
    </>
  );
}
