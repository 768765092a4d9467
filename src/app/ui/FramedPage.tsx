import { BrandMark } from "./atoms/Brand.tsx";
import "./styles/index.css";

/**
 * Page shown in place of the app inside another site's frame: that site could lay its buttons over
 * the app's (clickjacking).
 */
export function FramedPage() {
  return (
    <div className="page" data-testid="framed" data-ready="idle">
      <main>
        <span className="brand">
          <BrandMark />
          Shardboard
        </span>
        <h1>Another site shows this page inside its own</h1>
        <p>
          It could cover what you press here, so plans are edited in a tab of their own only. To
          show a plan inside a page, take the frame that Share gives.
        </p>
        <div className="row">
          <a className="btn solid" href={location.href} target="_blank" rel="noopener">
            Open in a tab of its own
          </a>
        </div>
      </main>
    </div>
  );
}
