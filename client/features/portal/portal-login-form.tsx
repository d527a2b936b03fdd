import { useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { portalNotice } from '../../content/resources.js';

/**
 * The portal's login form, which does nothing and must never leak a password (product.md 2.8): its fields
 * have no names, nothing submits it with or without JavaScript, and using it clears it.
 */
export function PortalLoginForm() {
  const formRef = useRef<HTMLFormElement>(null);
  const [isUsed, setIsUsed] = useState(false);

  const handleUse = () => {
    formRef.current?.reset();
    setIsUsed(true);
  };

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    handleUse();
  };

  // A form without a submit button does not answer the Enter key by itself.
  const handleKeyDown = ({ key, target }: KeyboardEvent) => {
    if (key === 'Enter' && target instanceof HTMLInputElement) handleUse();
  };

  return (
    <form ref={formRef} className="form" onSubmit={handleSubmit} onKeyDown={handleKeyDown}>
      <InputField label="Email" type="email" autoComplete="off" />
      <InputField label="Password" type="password" autoComplete="off" />
      <div className="form-end">
        <div className="row">
          <Button kind="line" onClick={handleUse}>
            Log In
          </Button>
        </div>
        <div role="status">{isUsed ? <Notice>{portalNotice.login}</Notice> : null}</div>
      </div>
    </form>
  );
}
