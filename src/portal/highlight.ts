import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { escapeHtml } from './html.ts';

for (const [name, language] of Object.entries({ bash, http, json, python, typescript }))
  highlighter.registerLanguage(name, language);

/** Renders code as HTML, with `hljs-` classes where the language is known. */
export const highlightCode = (code: string, language: string): string =>
  highlighter.getLanguage(language) === undefined ? escapeHtml(code) : highlighter.highlight(code, { language }).value;
