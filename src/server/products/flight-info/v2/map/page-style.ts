import { hash } from 'node:crypto';

/**
 * The style of all map pages. In both colour schemes text has a contrast of at least 4.5 to 1, lines and symbols on the map
 * at least 3 to 1.
 */
export const pageStyle = `
:root{color-scheme:light dark;--page:#fff;--text:#15202b;--quiet:#53616f;--line:#dde3e9;--sea:#d3e4ef;--space:#c3d7e5;--grid:#c2d6e4;--land:#f8f6f0;--coast:#a9bccb;--border:#d3cfc4;--route:#0a56a8;--plane:#0a2f5c;--halo:#fff;--warn:#a34300;--warn-page:#fdf0e3;--badge:#e3effa;--badge-text:#0a4a90;--bar:#e3e8ee}
@media (prefers-color-scheme:dark){:root{--page:#10171f;--text:#eaf0f5;--quiet:#a3b1be;--line:#2a3540;--sea:#16232f;--space:#0d151d;--grid:#20303e;--land:#2b3945;--coast:#4c6071;--border:#42525f;--route:#6fbaff;--plane:#fff;--halo:#10171f;--warn:#ffb36b;--warn-page:#33230f;--badge:#17324d;--badge-text:#9fd0ff;--bar:#2a3540}}
*{box-sizing:border-box}
html{height:100%;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100%;display:flex;flex-direction:column;background:var(--page);color:var(--text);font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
header,.ends,.facts,.note{padding-left:20px;padding-right:20px}
header{padding-top:16px;padding-bottom:12px;display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px}
h1{margin:0;font-size:24px;line-height:1.2;letter-spacing:-.01em}
header p{margin:0;flex-basis:100%;color:var(--quiet);font-size:15px}
.badge{padding:2px 10px;border-radius:99px;background:var(--badge);color:var(--badge-text);font-size:14px;font-weight:600}
.badge.warn{background:var(--warn-page);color:var(--warn)}
.map{margin:0;position:relative;height:54vh;height:54svh;min-height:260px;overflow:hidden;background:var(--space)}
.map svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
.map .wide{display:none}
.sea{fill:var(--sea)}
.graticule{fill:none;stroke:var(--grid);stroke-width:.7}
.land{fill:var(--land);stroke:var(--coast);stroke-width:2.8;stroke-linejoin:round}
.borders{fill:none;stroke:var(--border);stroke-width:3.2;stroke-linejoin:round}
.track{fill:none;stroke:var(--route);stroke-linecap:round;stroke-linejoin:round;stroke-width:3}
.casing{stroke:var(--halo);stroke-width:6;opacity:.6}
.ahead{stroke-dasharray:1 7}
.abandoned{stroke:var(--quiet);stroke-width:1.6;stroke-dasharray:6 6}
.place{fill:var(--halo);stroke:var(--route);stroke-width:3}
.place.diversion{stroke:var(--warn)}
.place.stop{stroke:var(--quiet)}
.aircraft{fill:var(--plane);stroke:var(--halo);stroke-width:2.5;paint-order:stroke;stroke-linejoin:round}
.labels{fill:var(--text);stroke:var(--halo);stroke-width:4;stroke-linejoin:round;paint-order:stroke}
.code{font-size:15px;font-weight:700}
.name{font-size:12.5px;font-weight:500}
.ends{display:grid;grid-template-columns:1fr 1fr;gap:0 16px;padding-top:16px}
.end p{margin:0}
.end+.end{text-align:right}
.end .at{color:var(--quiet);font-size:14px}
.end .time{font-size:30px;font-weight:650;line-height:1.2;letter-spacing:-.02em}
.end .kind{font-size:14px;color:var(--quiet)}
.late{color:var(--warn);font-weight:600}
sup{font-size:13px;font-weight:600;color:var(--quiet);margin-left:2px;letter-spacing:0;line-height:0}
.progress{grid-column:1/-1;order:1;padding-top:12px;font-size:14px;color:var(--quiet)}
.progress svg{display:block;width:100%;height:6px;border-radius:3px;margin-bottom:6px}
.progress .all{fill:var(--bar)}
.progress .done{fill:var(--route)}
.progress p{display:flex;justify-content:space-between;margin:0}
.note{margin:14px 0 0;font-size:14px;color:var(--quiet)}
.note.warn{margin-left:20px;margin-right:20px;padding:10px 12px;border-radius:10px;background:var(--warn-page);color:var(--warn);font-weight:600}
.facts{padding-top:14px;padding-bottom:24px}
table{width:100%;border-collapse:collapse;font-size:14px}
caption{text-align:left;font-weight:650;padding-bottom:4px}
th,td{padding:6px 0 6px 8px;text-align:right;font-weight:400;vertical-align:baseline}
th:first-child{padding-left:0;text-align:left;color:var(--quiet)}
thead th{color:var(--quiet);font-size:13px}
tbody{border-top:1px solid var(--line)}
tbody th[scope=rowgroup]{color:var(--text);font-weight:600;padding-bottom:0}
td.actual{font-weight:650}
.zone{font-weight:400;color:var(--quiet);margin-left:4px}
.facts p{margin:14px 0 0;font-size:13px;color:var(--quiet)}
.alone{margin:auto;padding:32px 24px;max-width:32em}
.alone p{color:var(--quiet)}
@media (min-width:700px) and (min-aspect-ratio:1/1){
body.flight{display:grid;grid-template-columns:minmax(320px,380px) 1fr;grid-template-rows:auto auto auto 1fr;min-height:100vh}
.flight main{display:contents}
.flight header,.flight main>*{grid-column:1}
.flight .map{grid-column:2;grid-row:1/-1;position:sticky;top:0;align-self:start;height:100vh;min-height:0}
.flight .ends{padding-top:6px}
.flight .facts{grid-row:4}
}
@media (min-width:1000px) and (min-height:560px) and (min-aspect-ratio:1/1){
.map .tall{display:none}
.map .wide{display:block}
}
@media (max-width:340px){.end .time{font-size:24px}table{font-size:13px}}
`;

/** The Content-Security-Policy source expression that allows this style only. */
export const pageStyleSource = `'sha256-${hash('sha256', pageStyle, 'base64')}'`;
