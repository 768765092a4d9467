import { Component, type ReactNode } from "react";

interface Props {
  /** Panel name in the fault message, such as `The graph`. */
  readonly name: string;
  /** The panel is rendered again when this value changes, such as the text that it draws. */
  readonly attempt: unknown;
  readonly children: ReactNode;
}

interface State {
  readonly message: string | undefined;
  readonly attempt: unknown;
}

/** Error boundary of one panel: shows the fault in the panel while the rest of the page goes on. */
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

/**
 * Messages of browsers and of Vite's style loader for a part of the page that could not be loaded.
 */
const notLoaded =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/iu;

/**
 * Fault of a part that could not be loaded. A browser does not request a failed module again, so
 * the button reloads the page.
 */
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
