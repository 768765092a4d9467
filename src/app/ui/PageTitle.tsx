import { titleOf } from "#app/state";
import { useApp } from "./store-context.tsx";

/** What the page is about, for whoever goes by its headings; it stands in a landmark. */
export function PageTitle() {
  const title = useApp(titleOf);
  return <h1 className="vh">Shardboard, {title}</h1>;
}
