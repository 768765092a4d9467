import { titleOf } from "#app/state";
import { useApp } from "./store-context.tsx";

/** The title of the page, for readers who go by headings; it stands in a landmark. */
export function PageTitle() {
  const title = useApp(titleOf);
  return <h1 className="vh">Shardboard, {title}</h1>;
}
