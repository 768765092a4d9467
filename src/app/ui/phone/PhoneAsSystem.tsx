import { shown, showsAsSystem } from "#app/state";
import { AsSystem } from "../player/AsSystem.tsx";
import { AsSystemSwitch } from "../player/AsSystemSwitch.tsx";
import { useApp } from "../store-context.tsx";

/** All steps as the program's own system would run them, below the list. */
export function PhoneAsSystem() {
  const system = useApp((state) => shown(state)?.system?.name);
  const isShown = useApp(showsAsSystem);
  if (system === undefined) return null;
  return (
    <section className="phone-system" aria-label="Whose steps">
      <AsSystemSwitch />
      {isShown && <AsSystem />}
    </section>
  );
}
