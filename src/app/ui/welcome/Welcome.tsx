import { X } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { begin, starts } from "./starts.ts";

/** What the product is, and ways to begin, beside the plan of a first visit. */
export function Welcome() {
  const store = useAppStore();
  const { openExample, openLesson, newPlan } = useActions();
  const end = useApp((state) => state.endWelcome);
  const reveal = useApp((state) => state.reveal);
  const paste = () => {
    newPlan();
    reveal({ from: 0, to: 0 });
    end();
  };
  const learn = () => {
    openLesson("one-matmul");
    end();
  };
  return (
    <section className="welcome" aria-label="Welcome" data-testid="welcome">
      <p>
        Shardboard shows how a model is split over devices: which piece each device holds, what is
        sent between them, and what that costs.
      </p>
      <IconButton icon={X} size={14} name="Dismiss the welcome" onClick={end} />
      <ul>
        <li>
          <button type="button" className="btn line" onClick={learn}>
            First lesson, 4 minutes
          </button>
        </li>
        <li>
          <button type="button" className="btn line" onClick={paste}>
            Paste your model
          </button>
        </li>
        {starts.map((start) => (
          <li key={start.name}>
            <button
              type="button"
              className="btn line"
              onClick={() => begin(store, openExample, start)}
            >
              {start.name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
