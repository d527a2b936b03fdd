import { useState } from 'react';
import { Button } from '../../components/button.js';
import { portalNotice } from '../../content/resources.js';

/** A button of the client portal, which isn't open yet: pressing it only says so, on the page and to screen readers. */
export function PreviewButton({ label }: { readonly label: string }) {
  const [isPressed, setIsPressed] = useState(false);
  return (
    <div className="preview-button">
      <Button kind="line" isSmall onClick={() => setIsPressed(true)}>
        {label}
      </Button>
      <p role="status" className="small">
        {isPressed ? portalNotice.pressed : null}
      </p>
    </div>
  );
}
