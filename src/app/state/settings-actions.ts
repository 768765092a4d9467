import type { LanguageReply, LanguageRequest } from "#app/language-service";
import { capitalized, sentencesOf } from "#core/diagnostics";
import type { GivenPublished } from "./published-actions.ts";
import type { AppStore } from "./store.ts";

/** Actions with settings files of trainers and servers. */
export interface SettingsActions {
  /**
   * Changes the program to run as the settings say, as one edit. Resolves to false if the text has
   * no settings.
   */
  readonly applySettings: (given: GivenPublished) => Promise<boolean>;
}

type Assist = (request: LanguageRequest) => Promise<LanguageReply | undefined>;

/** Longest text (bytes) that is read as settings. */
const mostBytes = 200_000;

/**
 * A pattern that the settings of every supported tool match; without a match their reader is not
 * loaded.
 */
const hint =
  /parallel|zero_optimization|distributed_type|train_batch_size|(^|\s)--?(tp|dp|pp|ep)\b/;

export function createSettingsActions(store: AppStore, assist: Assist): SettingsActions {
  const refuse = (text: string) => store.getState().say({ kind: "refused", text });
  return {
    applySettings: async ({ name, content }) => {
      if (content.size > mostBytes) return false;
      const text = await content.text();
      if (!hint.test(text)) return false;
      const { holdsSettings, readSettings } = await import("#systems/settings");
      if (!holdsSettings(text)) return false;
      const read = readSettings(text);
      if (!read.ok) {
        refuse(`${capitalized(name)}: ${sentencesOf(read.diagnostics)}`);
        return true;
      }
      const reply = await assist({ kind: "apply-settings", settings: read.value });
      if (reply?.kind !== "apply-settings") refuse("The text has changed meanwhile: try again.");
      else if (!reply.outcome.ok) refuse(sentencesOf(reply.outcome.diagnostics));
      else {
        const { source, axes, notes } = reply.outcome.value;
        const mesh = axes.map((axis) => `${axis.name}=${axis.size}`).join(", ");
        store.getState().commit(source, `Run it as ${read.value.tool} is told`);
        const said = `Settings of ${read.value.tool}: ${mesh}. ${sentencesOf(notes)}`;
        store.getState().say({ kind: "said", text: said.trim() });
      }
      return true;
    },
  };
}
