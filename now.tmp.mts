import { chromium } from 'playwright-core';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox','--no-zygote','--disable-gpu'] });
for (const [w,h] of [[390,844],[320,700],[1280,900]] as const) {
const page = await browser.newPage({ viewport: { width: w, height: h } });
await page.addInitScript({content: `globalThis.shifts=[]; new PerformanceObserver((l)=>{for(const e of l.getEntries()) shifts.push([e.value.toFixed(4), ...e.sources.map(s=>s.node?.nodeName+'.'+(s.node?.className?.baseVal ?? s.node?.className)+' '+s.previousRect.top+'->'+s.currentRect.top)])}).observe({type:'layout-shift',buffered:true})`});
for (const path of process.argv.slice(3)) {
await page.goto(process.argv[2].replace('/#', path+'#')); await page.locator('.lanes svg').first().waitFor(); await page.waitForTimeout(700);
console.log(w, path, await page.locator('.now').evaluate((e)=>e.getBoundingClientRect().height + ' margin ' + getComputedStyle(e).marginTop), JSON.stringify(await page.evaluate(()=>(globalThis as any).shifts)));
await page.goto('about:blank');
}}
await browser.close();
