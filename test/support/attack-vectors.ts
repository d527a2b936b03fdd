/**
 * Markup that runs a script where a browser reads it as it is, each in a way of its own. `HIT` stands for the script.
 * Those that leave something open swallow what follows.
 */
const CLOSED = [
  '<script>HIT</script>',
  '<ScRiPt\t>HIT</sCrIpT >',
  '<script/x>HIT</script>',
  '<script src="data:text/javascript,HIT"></script>',
  '<script type=module>HIT</script>',
  '<img src=x onerror=HIT>',
  '<img src="x" OnErRoR="HIT">',
  '<img/src=x onerror=HIT>',
  '<img src=x:x onerror&#61;x onerror=HIT>',
  '<image src=x onerror=HIT>',
  '<img srcset=x onerror=HIT>',
  '<picture><source srcset=x><img onerror=HIT></picture>',
  '<svg onload=HIT></svg>',
  '<svg><script>HIT</script></svg>',
  '<svg><script href="data:text/javascript,HIT"></script></svg>',
  '<svg><a xlink:href="javascript:HIT"><rect width=9 height=9 /></a></svg>',
  '<svg><image href=x onerror=HIT></image></svg>',
  '<svg><foreignObject><img src=x onerror=HIT></foreignObject></svg>',
  '<svg><style><img src=x onerror=HIT></style></svg>',
  '<math><mtext><img src=x onerror=HIT></mtext></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=HIT&gt;"></table></mtext></math><img src=x onerror=HIT>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=x></style></mglyph></form><img src=x onerror=HIT>',
  '<iframe src="javascript:parent.HIT"></iframe>',
  '<iframe srcdoc="<script>parent.HIT</script>"></iframe>',
  '<iframe srcdoc="&lt;img src=x onerror=parent.HIT&gt;"></iframe>',
  '<iframe onload=HIT></iframe>',
  '<object data=x onerror=HIT></object>',
  '<video src=x onerror=HIT></video>',
  '<video><source src=x onerror=HIT></video>',
  '<audio src=x onerror=HIT></audio>',
  '<details open ontoggle=HIT>x</details>',
  '<input autofocus onfocus=HIT>',
  '<p onclick="HIT" onmouseover=HIT>x</p>',
  '<p tabindex=1 onfocus=HIT>x</p>',
  '<div contenteditable onbeforeinput=HIT onfocusin=HIT onclick=HIT>x</div>',
  '<a href="javascript:HIT">x</a>',
  '<a href="JaVaScRiPt:HIT">x</a>',
  '<a href="  javascript:HIT">x</a>',
  '<a href="java\tscript:HIT">x</a>',
  '<a href="java&#10;script:HIT">x</a>',
  '<a href="&#x6A;avascript&colon;HIT">x</a>',
  '<a href="\u0001javascript:HIT">x</a>',
  '<a href="javascript://%0aHIT">x</a>',
  '<form action="javascript:HIT"><button>x</button></form>',
  '<form><button formaction="javascript:HIT">x</button></form>',
  '<form><input type=submit formaction="javascript:HIT"></form>',
  '<map><area href="javascript:HIT">x</map>',
  '<style>@keyframes x{}</style><p style="animation: x 1ms" onanimationstart=HIT onanimationend=HIT>x</p>',
  '<link rel=stylesheet href="data:text/css," onload=HIT>',
  '<style onload=HIT></style>',
  '<template></template><img src=x onerror=HIT>',
  '<noembed><p title="</noembed><img src=x onerror=HIT>"></noembed>',
  '<xmp><p title="</xmp><svg/onload=HIT>"></xmp>',
  '<textarea><p title="</textarea><img src=x onerror=HIT>"></p>',
  '<title><p title="</title><img src=x onerror=HIT>"></p>',
  '<style><p title="</style><img src=x onerror=HIT>"></p>',
  '<!--><img src=x onerror=HIT>-->',
  '<!-- --!><img src=x onerror=HIT>-->',
  '<![CDATA[><img src=x onerror=HIT>]]>',
  '<?xml ><img src=x onerror=HIT> ?>',
  '</p ><img src=x onerror=HIT>',
  "<b a=\"'><img src=x onerror=HIT>'\"></b><img a='\"' src=x onerror=HIT>",
  '<table><tr><td><script>HIT</script></td></tr><img src=x onerror=HIT></table>',
  '<select><option><img src=x></select><img src=x onerror=HIT>',
  '<span class="ql-formula" data-value="&lt;img src=x onerror=HIT&gt;"></span><img src=x onerror=HIT>',
  '<pre class="ql-syntax"><img src=x onerror=HIT></pre>',
  '<dialog open><button onclick=HIT>x</button></dialog>',
  '<button popovertarget=p onclick=HIT>x</button><div popover id=p onbeforetoggle=HIT>x</div>',
];
const OPEN = [
  '<svg/onload=HIT',
  '<img src=x onerror=HIT //',
  '<script>HIT</script><plaintext>',
  '<img src=x onerror=HIT><!--',
  '<img src=x onerror=HIT><textarea>',
  '<a href="javascript:HIT" x="',
];

/** Breaks out of where a text stands in HTML: attributes, titles, scripts, JSON, comments, XML. */
const TEXTS = [
  '"><img src=x onerror=HIT>',
  "'><svg onload=HIT>",
  '</title><script>HIT</script>',
  '</script><script>HIT</script>',
  '--><img src=x onerror=HIT>',
  ']]><img src=x onerror=HIT>',
  '" autofocus onfocus=HIT x="',
  'javascript:HIT',
  '&lt;img src=x onerror=HIT&gt;',
];

/** A vector of its own script. */
export interface Vector {
  /** The number that its script calls `hit` with. */
  readonly id: number;
  readonly html: string;
}

const toVectors = (templates: readonly string[], first: number): Vector[] =>
  templates.map((template, index) => ({
    id: first + index,
    html: template.replaceAll('HIT', `hit(${first + index})`),
  }));

export const closedVectors = toVectors(CLOSED, 100);
export const openVectors = toVectors(OPEN, 300);
/** For fields that are no HTML. */
export const textVectors = toVectors(TEXTS, 400);
