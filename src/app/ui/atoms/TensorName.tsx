import { nameParts } from "#app/scene/graph";

/** The name of a tensor; where there is no room for all of it, its first part stays. */
export function TensorName({ name }: { readonly name: string }) {
  const [head, tail] = nameParts(name);
  return (
    <>
      <b className="nm-head">{head}</b>
      {tail !== "" && <b className="nm-tail">{tail}</b>}
    </>
  );
}
