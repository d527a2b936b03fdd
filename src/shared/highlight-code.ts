import hljs from 'highlight.js/lib/core';
import type { LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import dos from 'highlight.js/lib/languages/dos';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { languageAliases } from './code-languages.js';

/** Longest code that is colored, in UTF-16 units; longer code is shown plain, so that nothing takes long. */
export const MAX_HIGHLIGHTED = 20_000;

const definitions: Readonly<Record<string, LanguageFn>> = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, dos, go, ini, java, javascript, json, kotlin, markdown, php },
  ...{ powershell, python, ruby, rust, sql, swift, typescript, xml, yaml },
};

/**
 * Highlights code as HTML with the classes of highlight.js, such as `hljs-keyword`. Editor and published page share it.
 * @returns null for an unknown language or code that is too long, which is shown without colors
 */
export function highlightCode(code: string, language: string): string | null {
  const name = findLanguage(language);
  if (name === null || code.length > MAX_HIGHLIGHTED) return null;
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
}

/** The name of a language that is known, made ready for use; null otherwise. */
function findLanguage(language: string): string | null {
  const name = Object.hasOwn(languageAliases, language) ? (languageAliases[language] ?? language) : language;
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition === undefined) return null;
  // Reading a language costs time, and most processes never see most of them.
  if (hljs.getLanguage(name) === undefined) hljs.registerLanguage(name, definition);
  return name;
}
