import { spawn } from 'node:child_process';
const p = spawn(process.execPath, ['dist/src/main.js','--memory','--port','18999','--threads','2','--sparql-threads','0'], {stdio:'ignore'});
const u='http://127.0.0.1:18999';
for(;;){ try{ if((await fetch(u+'/health/ready')).ok) break; }catch{} await new Promise(r=>setTimeout(r,200)); }
const ttl={'Content-Type':'text/turtle'};
await fetch(u+'/context?graph=urn:g',{method:'PUT',headers:ttl,body:'<urn:s> <http://xmlns.com/foaf/0.1/name> "A" ; <urn:p7:x> 1 .'});
const time=async(f,n=400)=>{const a=[];for(let i=0;i<n;i++){const t=performance.now();const r=await f();await r.text();a.push(performance.now()-t);}a.sort((x,y)=>x-y);return `p50 ${a[n>>1].toFixed(2)} max ${a[n-1].toFixed(1)}`};
const ev=()=>fetch(u+'/ldpath/path?path=foaf:name&uri=urn:s');
const get=()=>fetch(u+'/context?graph=urn:g',{headers:{Accept:'text/turtle'}});
const jl=()=>fetch(u+'/context?graph=urn:g',{headers:{Accept:'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"'}});
await time(ev);
console.log('none: eval',await time(ev),'turtle',await time(get),'jsonld',await time(jl));
let t=performance.now();
for(let i=0;i<100;i++){ const d=Array.from({length:100},(_,k)=>`@prefix p${i*100+k}: <urn:p${i*100+k}:> .`).join('\n')+'\n<urn:s> <urn:p> 1 .'; const r=await fetch(u+'/context?graph=urn:l&prefixes=store',{method:'POST',headers:ttl,body:d}); if(!r.ok) console.log(await r.text()); }
console.log('10,000 learned in ms', (performance.now()-t).toFixed(0));
await time(ev);
console.log('10k: eval',await time(ev),'turtle',await time(get),'jsonld',await time(jl),'jsonld',await time(jl), 'list', await time(()=>fetch(u+'/prefixes'),20));
const put=(i)=>fetch(u+'/prefixes/p7',{method:'PUT',headers:{'Content-Type':'text/plain'},body:'urn:v'+i+':'});
const a=[];for(let i=0;i<20;i++){await (await put(i)).text();t=performance.now();await (await ev()).text();a.push(performance.now()-t);} a.sort((x,y)=>x-y);console.log('eval after a PUT p50',a[10].toFixed(1),'max',a[19].toFixed(1));
let k=0;console.log('PUT',await time(()=>put(100+k++),50));
p.kill();
