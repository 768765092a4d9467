import { Component, type ReactNode } from "react";

interface Props {
  /** The name of the panel: `The graph`. */
  readonly name: string;
  /** A change of this value tries again: the text that the panel drew. */
  readonly attempt: unknown;
  readonly children: ReactNode;
}

interface State {
  readonly message: string | undefined;
  readonly attempt: unknown;
}

/** A fault of ours in one panel shows in that panel; the rest of the page goes on. */
export class PanelBoundary extends Component<Props, State> {
  override state: State = { message: undefined, attempt: this.props.attempt };

  static getDerivedStateFromError(fault: unknown): Partial<State> {
    return { message: fault instanceof Error ? fault.message : String(fault) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (props.attempt === state.attempt) return null;
    return { attempt: props.attempt, message: undefined };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    if (notLoaded.test(message)) return <NotLoaded name={this.props.name} />;
    return (
      <div className="fault" role="alert">
        <p>
          <b>{this.props.name} could not be drawn.</b> Your text is safe. The next edit tries again.
        </p>
        <p className="mut">{message}</p>
        <button
          type="button"
          className="btn line"
          onClick={() => this.setState({ message: undefined })}
        >
          Try again
        </button>
      </div>
    );
  }
}

/** How browsers, and the loader of styles, say that a part of the page did not come. */
const notLoaded =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/iu;

/** A browser asks once for a part of the page: only the page as a whole is asked for again. */
function NotLoaded({ name }: { readonly name: string }) {
  return (
    <div className="fault" role="alert">
      <p>
        <b>{name} could not be loaded.</b> The network is away, or there is a newer version. Your
        text is safe.
      </p>
      <button type="button" className="btn line" onClick={() => window.location.reload()}>
        Load the page again
      </button>
    </div>
  );
}
