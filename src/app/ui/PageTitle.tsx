import { titleOf } from "#app/state";
import { useApp } from "./store-context.tsx";

/** Visually hidden `h1` for navigation by headings; to be rendered inside a landmark. */
export function PageTitle() {
  const title = useApp(titleOf);
  return <h1 className="vh">Shardboard, {title}</h1>;
}
