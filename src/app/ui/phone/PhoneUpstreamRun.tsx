import { shown, showsUpstreamRun } from "#app/state";
import { UpstreamRun } from "../player/UpstreamRun.tsx";
import { UpstreamRunSwitch } from "../player/UpstreamRunSwitch.tsx";
import { useApp } from "../store-context.tsx";

/** The steps of the program as its own system would run them, below the list. */
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
