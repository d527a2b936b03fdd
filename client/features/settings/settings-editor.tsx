import type { ReactNode, SubmitEvent } from 'react';
import type { SettingsView } from '../../../src/shared/contracts/settings.js';
import { Button } from '../../components/button.js';
import { Fetched } from '../../components/fetched.js';
import { Notice } from '../../components/notice.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { describePlace, nameOfChanger, settingsMessages as messages } from '../../content/settings.js';
import { LeaveSettings } from './leave-settings.js';
import type { SettingsKind } from './settings-kind.js';
import { SettingsVersions } from './settings-versions.js';
import { useSettings, useSettingsActions, type SettingsActions } from './use-settings.js';
import { useSettingsForm, type SettingsForm } from './use-settings-form.js';
import { WaitingChanges } from './waiting-changes.js';

interface SettingsEditorProps {
  readonly kind: SettingsKind;
  /** The fields of the document. */
  readonly children: (form: SettingsForm) => ReactNode;
}

/** Edits a document of settings: fields, what will change, draft, preview, publication and versions. */
export function SettingsEditor({ kind, children }: SettingsEditorProps) {
  return (
    <Fetched query={useSettings(kind.document)} messages={messages}>
      {(view) => (
        <Editor kind={kind} view={view}>
          {children}
        </Editor>
      )}
    </Fetched>
  );
}

function Editor({ kind, view, children }: SettingsEditorProps & { readonly view: SettingsView }) {
  const form = useSettingsForm(kind.document, view);
  const actions = useSettingsActions(kind, form);
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (form.typed.length > 0) void actions.save();
  };
  return (
    <div className="settings">
      <LeaveSettings form={form} area={kind.area} />
      <form className="settings-form" noValidate onSubmit={handleSubmit}>
        {children(form)}
        <WaitingChanges kind={kind} form={form} actions={actions} />
        <div className="save-bar settings-bar">
          <Told kind={kind} form={form} actions={actions} />
          <Bar form={form} actions={actions} />
        </div>
      </form>
      <SettingsVersions kind={kind} form={form} actions={actions} />
    </div>
  );
}

interface PartProps {
  readonly form: SettingsForm;
  readonly actions: SettingsActions;
}

function Bar({ form, actions }: PartProps) {
  const { typed, changed } = form;
  const { isBusy } = actions;
  return (
    <>
      <div className="save-bar-where" data-place={typed.length > 0 ? 'unsaved' : changed.length > 0 ? 'kept' : 'saved'}>
        <p role="status">{isBusy ? 'One moment...' : describePlace(typed.length, changed.length)}</p>
      </div>
      <div className="row">
        <Button kind="line" isSmall type="submit" aria-disabled={isBusy || typed.length === 0}>
          Save draft
        </Button>
        <Button kind="line" isSmall aria-disabled={isBusy} onClick={() => void actions.preview()}>
          Preview
        </Button>
        <Button
          isSmall
          aria-disabled={isBusy || changed.length === 0}
          onClick={() => {
            if (changed.length > 0) void actions.publish();
          }}
        >
          Publish
        </Button>
      </div>
    </>
  );
}

/** How the last action ended, and what is to be decided before it can be done again. */
function Told({ kind, form, actions }: PartProps & { readonly kind: SettingsKind }) {
  const now = { ...form.view.values, ...form.view.draft };
  const open = actions.clashes.filter((name) => form.typed.includes(name));
  return (
    <div className="settings-told">
      <OutcomeNotice outcome={actions.outcome} onDismiss={actions.dismiss} />
      {open.map((name) => (
        <Notice key={name} kind="error">
          <p>
            <b>{kind.labelOf(name)}</b>: you wrote ‘{kind.describe(name, form.values[name])}’,{' '}
            {nameOfChanger(form.view)} ‘{kind.describe(name, now[name])}’.
          </p>
          <div className="row">
            <Button isSmall onClick={() => actions.settle(name, true)}>
              Keep mine<span className="visually-hidden"> for {kind.labelOf(name)}</span>
            </Button>
            <Button isSmall kind="line" onClick={() => actions.settle(name, false)}>
              Take theirs<span className="visually-hidden"> for {kind.labelOf(name)}</span>
            </Button>
          </div>
        </Notice>
      ))}
    </div>
  );
}
