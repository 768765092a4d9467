/** Keyboard shortcut and its action. */
export interface Shortcut {
  readonly keys: string;
  readonly what: string;
}

/**
 * Shortcuts by the place in which they act; groups of single letters can be switched off in the
 * settings.
 */
export const shortcutGroups: readonly {
  readonly title: string;
  readonly areLetters?: true;
  readonly shortcuts: readonly Shortcut[];
}[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: "Ctrl K", what: "Find a command, operator, tensor, axis or example" },
      { keys: "Ctrl O", what: "Open the examples" },
      { keys: "Ctrl Shift O", what: "Open your plans" },
      { keys: "Ctrl Z", what: "Undo" },
      { keys: "Ctrl Shift Z", what: "Redo" },
      { keys: "Ctrl B", what: "Fold the program away, and back" },
      { keys: "F8", what: "Next problem in the text" },
      { keys: "Esc", what: "Let go of an axis, give up a drag, close what is open" },
    ],
  },
  {
    title: "On a tensor or operator of the graph",
    shortcuts: [
      { keys: "Enter", what: "Select it and go to its dims" },
      { keys: "1 … 8", what: "Take that axis of the mesh for one of its dims" },
    ],
  },
  {
    title: "On a dim of a tensor",
    shortcuts: [
      { keys: "1 … 8", what: "Split it over that axis of the mesh" },
      { keys: "0", what: "Make it whole" },
      { keys: "Enter", what: "Go on to its next split, with Shift to the one before" },
      { keys: "Alt ↓", what: "Open its choices" },
      { keys: "↑ ↓", what: "Go to the next dim" },
      { keys: "← →", what: "Go to the axes on it" },
      { keys: "Esc", what: "Go back to the graph" },
    ],
  },
  {
    title: "Where nothing is typed",
    areLetters: true,
    shortcuts: [
      { keys: "/", what: "Find" },
      { keys: "F", what: "Fit the graph" },
      { keys: "+ −", what: "Draw it larger, or smaller" },
      { keys: "G", what: "Open a folded block, or fold it" },
      { keys: "D", what: "Draw tensors as a whole, or as each device holds them" },
      { keys: "Space", what: "Play the steps, or pause" },
      { keys: "[", what: "Previous redistribution" },
      { keys: "]", what: "Next redistribution" },
      { keys: ",", what: "Previous step" },
      { keys: ".", what: "Next step" },
      { keys: "<", what: "Back by a hop of a ring" },
      { keys: ">", what: "On by a hop of a ring" },
      { keys: "T", what: "In a lesson: go to the dims of the tensor" },
      { keys: "L", what: "In a lesson: go back to its words" },
      { keys: "E", what: "Go to the text: the editor of the program" },
      { keys: "P", what: "Look for the fastest plan" },
      { keys: "R", what: "Run the plan and hold it against the unsharded program" },
      { keys: "V", what: "Keep this plan as a variant" },
      { keys: "C", what: "Pin this plan as a baseline, or let go of it" },
      { keys: "?", what: "Show this sheet" },
    ],
  },
  {
    title: "In the graph and in lists",
    shortcuts: [
      { keys: "↑ ↓ ← →", what: "Go to the neighbour" },
      { keys: "Enter", what: "Open what has the focus" },
    ],
  },
  {
    title: "While presenting",
    shortcuts: [
      { keys: "→ ←", what: "Go on by a step or a hop, and back" },
      { keys: "↓ ↑", what: "Go to the next station, and the one before" },
      { keys: "1 … 9", what: "Go to that station" },
      { keys: "B", what: "Blank the screen, and show it again" },
      { keys: "N", what: "Show what the lesson says here" },
      { keys: "H", what: "Show hops, or all at once" },
      { keys: "F", what: "Fill the screen" },
      { keys: "Esc", what: "Leave" },
    ],
  },
  {
    title: "In the editor",
    shortcuts: [
      { keys: "Ctrl Space", what: "Complete" },
      { keys: "F2", what: "Rename" },
      { keys: "F12", what: "Go to the definition" },
      { keys: "Ctrl .", what: "Fixes for a problem" },
      { keys: "Ctrl M", what: "Let the Tab key leave the editor" },
    ],
  },
];
