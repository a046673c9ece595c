import { hash } from 'node:crypto';

/** Checks that two different bodies never share an entity tag, and that equal bodies have the same one. */
export class EntityTags {
  readonly #bodies = new Map<string, string>();
  readonly #tags = new Map<string, string>();

  /**
   * Adds a body as sent, and its tag; returns the violations. The body comes from `arrayBuffer`: `@hono/node-server` (2.1), which another test of
   * the worker can have loaded, replaces `Response` by a class without `bytes`.
   */
  add(tag: string, bytes: ArrayBuffer): readonly string[] {
    const body = hash('sha256', new Uint8Array(bytes), 'base64url');
    const [knownBody, knownTag] = [this.#bodies.get(tag) ?? body, this.#tags.get(body) ?? tag];
    this.#bodies.set(tag, body);
    this.#tags.set(body, tag);
    const size = `${bytes.byteLength} bytes`;
    return [
      ...(knownBody === body ? [] : [`the tag ${tag} of ${size} is that of another body`]),
      ...(knownTag === tag ? [] : [`the tag ${tag} of ${size} is not ${knownTag}, the one that the same body has had`]),
    ];
  }
}
