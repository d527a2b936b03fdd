import type { CSSProperties } from 'react';
import {
  examineAccent,
  findReadableAccent,
  SURROUNDINGS,
  toAccentTokens,
  type ThemeName,
} from '../../../src/shared/accent.js';
import { factSpec, type CompanyFact } from '../../../src/shared/contracts/company-facts.js';
import { cleanFact, findAccentProblem } from '../../../src/shared/contracts/company-input.js';
import { isHexColor } from '../../../src/shared/oklch.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { companyMessages as messages } from '../../content/company.js';
import { hintOf, isLocked, textOf, type FactForm } from './fact-form.js';

/** The green that the site comes with, as `--primary` has it. */
const AS_IT_CAME = '#005e50';

interface AccentFieldProps {
  readonly name: CompanyFact;
  readonly form: FactForm;
}

/** The color of the accent: chosen or typed, with what it looks like in both themes and the contrast of every pair. */
export function AccentField({ name, form }: AccentFieldProps) {
  const { label } = factSpec(name);
  const typed = textOf(form, name);
  const clean = cleanFact(name, typed);
  const color = typeof clean === 'string' && isHexColor(clean) ? clean : null;
  const problem = typeof clean === 'string' ? findAccentProblem(label, clean) : null;
  // The field says what is missing; of what is no color yet, nothing can be measured.
  const isHalfTyped = color === null && problem !== null;
  const isReadOnly = isLocked(form, name);
  const readable = color !== null && problem !== null ? findReadableAccent(color) : null;
  return (
    <div className="settings-accent">
      <div className="settings-accent-choice">
        <InputField
          name={name}
          label={label}
          hint={hintOf(form, name)}
          error={form.problems[name] ?? problem ?? undefined}
          value={typed}
          readOnly={isReadOnly}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => form.set(name, target.value)}
        />
        <input
          type="color"
          aria-label={messages.chooseAccent}
          value={color ?? AS_IT_CAME}
          disabled={isReadOnly}
          onChange={({ target }) => form.set(name, target.value)}
        />
      </div>
      <div className="row">
        {readable === null ? null : (
          <Button isSmall onClick={() => form.set(name, readable)}>
            {messages.useReadable(readable)}
          </Button>
        )}
        <Button
          kind="line"
          isSmall
          aria-disabled={isReadOnly || typed === ''}
          onClick={() => {
            if (!isReadOnly) form.set(name, null);
          }}
        >
          {messages.asItCame}
          <span className="visually-hidden"> for {label}</span>
        </Button>
      </div>
      <p className="field-hint" role="status">
        {describeAccent(color, problem)}
      </p>
      <div className="settings-accent-themes" aria-hidden="true">
        <Sample theme="light" color={color ?? AS_IT_CAME} />
        <Sample theme="dark" color={color ?? AS_IT_CAME} />
      </div>
      <Measures color={color ?? AS_IT_CAME} isHidden={isHalfTyped} />
    </div>
  );
}

function describeAccent(color: string | null, problem: string | null): string | null {
  if (color === null) return problem === null ? messages.accentAsItCame : null;
  return problem === null ? messages.accentReads : messages.accentRefused;
}

interface SampleProps {
  readonly theme: ThemeName;
  readonly color: string;
}

/** A link, a button and a badge as they would be. */
function Sample({ theme, color }: SampleProps) {
  const around = SURROUNDINGS[theme];
  const tokens = toAccentTokens(color)[theme];
  const paper: CSSProperties = { background: around.background, color: around.foreground };
  return (
    <div className="settings-accent-sample" style={paper}>
      <span className="settings-accent-link" style={{ color: tokens.primary }}>
        {messages.sampleLink}
      </span>
      <span
        className="settings-accent-button"
        style={{ background: tokens.primary, color: around['primary-foreground'] }}
      >
        {messages.sampleButton}
      </span>
      <span className="badge" style={{ background: tokens['primary-soft'], color: tokens.primary }}>
        {messages.themes[theme]}
      </span>
    </div>
  );
}

interface MeasuresProps {
  readonly color: string;
  /** It stays open or closed meanwhile. */
  readonly isHidden: boolean;
}

/** Every pair with its contrast, those that have too little of it first. */
function Measures({ color, isHidden }: MeasuresProps) {
  const findings = examineAccent(color);
  const weak = findings.filter(({ ratio, least }) => ratio < least);
  return (
    <details className="settings-accent-measures" hidden={isHidden}>
      <summary>{messages.measures(findings.length, weak.length)}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Theme</th>
            <th scope="col">Contrast</th>
            <th scope="col">Needed</th>
          </tr>
        </thead>
        <tbody>
          {[...weak, ...findings.filter((finding) => !weak.includes(finding))].map(({ theme, label, ratio, least }) => (
            <tr key={`${theme} ${label}`} data-weak={ratio < least || undefined}>
              <th scope="row">{label}</th>
              <td>{messages.themes[theme]}</td>
              <td>
                {(Math.floor(ratio * 100) / 100).toFixed(2)}
                {ratio < least ? `, ${messages.tooLittle}` : ''}
              </td>
              <td>{least.toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
