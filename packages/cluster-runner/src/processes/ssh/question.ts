/**
 * The first question to each host, as text for its Node.js, however old that is: which system it is, and which version of the program it has. A copy that
 * was sent there counts only where it is whole. Its files are read and compared with their digest where the system says that something about one of them
 * has changed (size, times, place), and otherwise once a day: reading all of them takes a tenth of a second.
 */

/** Our package in a copy. */
export const PACKAGE = "node_modules/@stickslip/cluster-runner";
/** In the folder of a copy; written last, and touched whenever the copy is used. */
export const MARKER = ".complete.json";
/** The state of the files when they were last read. */
const CHECKED = ".checked";
const CHECK_MS = 86_400_000;

/** Arguments: the folder of our package there, and of a copy that was sent the folder of all. */
export const question = `
var f=require("fs"),o=require("os"),c=require("crypto"),at=process.argv[1],root=process.argv[2],p;
function hash(names,add){var h=c.createHash("sha256");names.forEach(function(n){add(h,n)});return h.digest("hex")}
function seen(h,n){var s=f.statSync(root+"/"+n);h.update([n,s.size,s.mtime.getTime(),s.ctime.getTime(),s.ino].join())}
function content(h,n){var b=f.readFileSync(root+"/"+n);h.update(n+"\\0"+b.length+"\\0");h.update(b)}
function whole(){
var m=JSON.parse(f.readFileSync(root+"/${MARKER}","utf8")),now=hash(m.files,seen),file=root+"/${CHECKED}";
try{if(Math.abs(Date.now()-f.statSync(file).mtime.getTime())<${CHECK_MS}&&f.readFileSync(file,"utf8")===now)return true}catch(e){}
if(hash(m.files,content)!==m.digest)return false;
try{f.writeFileSync(file,now)}catch(e){}
return true}
try{if(!root||whole())p=JSON.parse(f.readFileSync(at+"/package.json","utf8")).version}catch(e){}
try{if(root&&p)f.utimesSync(root+"/${MARKER}",new Date(),new Date())}catch(e){}
console.log(JSON.stringify({node:process.versions.node,system:process.platform+"-"+process.arch,memory:o.totalmem(),
cores:o.availableParallelism?o.availableParallelism():o.cpus().length,version:p}))`.replaceAll("\n", "");
