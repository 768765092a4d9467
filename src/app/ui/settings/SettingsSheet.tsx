import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { Notation } from "#app/scene/text";
import type { Motion, Theme } from "#app/state";
import { IconButton } from "../atoms/IconButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { SheetDialog } from "../palette/SheetDialog.tsx";
import { useApp } from "../store-context.tsx";

const themes: readonly (readonly [Theme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const motions: readonly (readonly [Motion, string])[] = [
  ["system", "System"],
  ["full", "Full"],
  ["reduced", "Reduced"],
];

const notations: readonly (readonly [Notation, string])[] = [
  ["ours", "Shardboard"],
  ["book", "Scaling book"],
  ["jax", "JAX"],
  ["dtensor", "DTensor"],
];

const samples: Readonly<Record<Notation, string>> = {
  ours: "[b@dp, s, f@(sp,mp)]{Σ tp}",
  book: "[b_dp, s, f_{sp,mp}]{U_tp}",
  jax: "P('dp', None, ('sp', 'mp'), unreduced={'tp'})",
  dtensor: "(S(0), S(2), S(2), P(sum)), one placement per axis of the mesh",
};

/** The reader's preferences; this browser keeps them, and no link carries them. */
export function SettingsSheet() {
  const openSheet = useApp((state) => state.openSheet);
  const settings = useApp((state) => state.settings);
  const set = useApp((state) => state.set);
  const theme = useApp((state) => state.theme);
  const setTheme = useApp((state) => state.setTheme);
  return (
    <SheetDialog className="settings" label="Settings">
      <div className="sheet-head">
        <h2>Settings</h2>
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </div>
      <Setting title="Theme">
        <Segmented label="Theme" value={theme} choices={themes} onChange={setTheme} />
      </Setting>
      <Setting title="Motion">
        <Segmented
          label="Motion"
          value={settings.motion}
          choices={motions}
          onChange={(motion) => set({ motion })}
        />
      </Setting>
      <Setting title="Layouts are written as" note={samples[settings.notation]}>
        <Segmented
          label="Notation of layouts"
          value={settings.notation}
          choices={notations}
          onChange={(notation) => set({ notation })}
        />
      </Setting>
      <Setting title="Keys of one letter, where nothing is typed">
        <Segmented
          label="Keys of one letter"
          value={settings.hasLetterKeys ? "on" : "off"}
          choices={[
            ["on", "On"],
            ["off", "Off"],
          ]}
          onChange={(value) => set({ hasLetterKeys: value === "on" })}
        />
      </Setting>
      <p className="mut">Kept in this browser; a link to a plan does not carry them.</p>
    </SheetDialog>
  );
}

interface SettingProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}

function Setting({ title, note, children }: SettingProps) {
  return (
    <div className="setting">
      <h3>{title}</h3>
      {children}
      {note !== undefined && <code>{note}</code>}
    </div>
  );
}
