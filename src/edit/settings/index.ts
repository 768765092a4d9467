// Settings of trainers and servers, written into a program.

export { type SettingsInText, settingsIntoText } from "./settings-into-text.ts";
