import { shown, showsUpstreamRun } from "#app/state";
import { UpstreamRun } from "../player/UpstreamRun.tsx";
import { UpstreamRunSwitch } from "../player/UpstreamRunSwitch.tsx";
import { useApp } from "../store-context.tsx";

/** Steps of the program as its own system would run it, below the list. */
export function PhoneUpstreamRun() {
  const system = useApp((state) => shown(state)?.system?.name);
  const isShown = useApp(showsUpstreamRun);
  if (system === undefined) return null;
  return (
    <section className="phone-system" aria-label="Whose steps">
      <UpstreamRunSwitch />
      {isShown && <UpstreamRun />}
    </section>
  );
}
