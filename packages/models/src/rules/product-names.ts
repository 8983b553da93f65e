/**
 * Names of software, services and brands, without spaces and points, in lower case: the titles of simple-icons (CC0-1.0) and devicon (MIT), less what the
 * runtime knows as a country or as the city of a time zone. Made by ../../scripts/build-product-names.mjs.
 */
const NAMES = `
1001tracklists 11ty 1panel 1password 2fas 2k 30secondsofcode 365datascience 3m 4chan 4d 500px 7zip 99designs 9gag aarch aarch64 abb abbott
abbvie abdm abdownloadmanager aboutme abstract abusech academia accenture accusoft accuweather acer acm acode actigraph activeloop
activision activitypub actix actualbudget acura ada adafruit adaway adblock adblockplus addyio adguard adidas adminer adonisjs adp adroll
adventofcode adyen aegisauthenticator aeroflot aeroméxico aerospike afdian affine aframe aftereffects afterpay aftership agentskills agora
aiassistant aib aidungeon aiohttp aiqfome airasia airbnb airbrake airbus airbyte aircall aircanada airchina airflow airfrance airindia
airplayaudio airplayvideo airserbia airtable airtel airtransat ajv akamai akasaair akaunting akiflow akka alacritty alamy albertheijn
albumoftheyear alby alchemy aldinord aldisüd alfred algolia algorand alibabacloud alibabacom alienware aliexpress alipay alist allegro
alliedirishbanks alliedmodders alltrails almalinux alphaxiv alpine alpinejs alpinelinux alternativeto alwaysdata amazonwebservices amd ameba
amebablog ameblo americanairlines americanexpress amg amp amul ana anaconda analogue andela android androidauto androidstudio angular
angularjs angularmaterial anichart anilist animalplanet anime animejs ankermake anki ansible answer ansys ant anta antdesign antena antena3
antennapod anthropic antv anycubic anydesk anytype apache apacheairflow apacheant apachearrow apacheavro apachecassandra apachecloudstack
apachecordova apachecouchdb apachedolphinscheduler apachedoris apachedruid apacheecharts apacheflink apachefreemarker apachegroovy
apacheguacamole apachehadoop apachehbase apachehive apacheignite apachejmeter apachekafka apachekylin apachelucene apachemaven
apachenetbeanside apachenifi apacheopenoffice apacheparquet apachepdfbox apachepulsar apacherocketmq apachesolr apachespark apachestorm
apachesuperset apachetomcat aparat apex apifox apify apl apmterminals apollographql apostrophe appcelerator appgallery appian appimage
appium apple applearcade applemusic applenews applepay applepodcasts appletv appmanager appsignal appsmith appstore appveyor appwrite aqua
aral arangodb arc arcgis archicad archiveofourown archlinux ardour arduino argo argocd argos ariakit arkecosystem arlo arm armkeil arrow
arstechnica artifacthub artixlinux artstation arxiv asahilinux asana asciidoctor asciinema asda aseprite aspire assemblyscript asterisk
astonmartin astra astral astro asus asusrog atari atlasos atlassian atom atomgit auchan audacity audi audible audiobookshelf audioboom
audiomack audiotechnica aurelia autentique auth auth0 authelia authentik autocad autocannon autodesk autodeskmaya autodeskrevit autohotkey
autoit automattic autoprefixer autozone avajs avaloniaui avast avianca avira avm avro await awesomelists awesomewm awk aws awwwards axios
axisbank azure azuredatafactory azuredevops azuresqldatabase b4x babel babelio babylon babylonjs backblaze backbone backbonejs backendless
backstage badoo baidu bakaláři bakaupdatesmanga ballerina bamboo bambulab bandcamp bandlab bandsintown bankofamerica barclays baremetrics
barmenia basecamp baserow baseui bash basicattentiontoken bastyon bat bata battlenet bazel beatport beats beatsbydre beatstars
beekeeperstudio behance beijingsubway bem bentley bento bentobox bentoml bereal berlinerverkehrsbetriebe betfair betterauth betterdiscord
betterstack bevy bevyengine bigbasket bigbluebutton bigcartel bigcommerce bilibili billboard bim binance bioconductor biolink biome bionic
bisecthosting bit bitbucket bitcoin bitcoincash bitcoinsv bitcomet bitdefender bitly bitrise bitsy bittorrent bitwarden bitwig black
blackberry blackmagicdesign blazemeter blazor blender blibli blockbench blockchaincom blogger bloglovin blueprint bluesky bluesound
bluetooth bmcsoftware bmw bnbchain boardgamegeek boat bob boehringeringelheim boeing bohemiainteractive bombardier bookalope bookbub
bookingcom bookmeter bookmyshow bookstack boost boosty boots bootstrap borgbackup bosch bose botblecms boulanger bower box boxysvg braintree
braintrust brandfetch brandfolder brave breaker brenntag brevo brex bricks britishairways broadcom browserstack bruno bsd bsky bspwm bt
buddy budibase buefy buffer bugatti bugcrowd buhl buildkite builtbybit bukalapak bulma bun bungie bunnynet bunq burgerking burpsuite burton
buymeacoffee buysellads buzzfeed bvg bytedance c++ c++builder cachet cachyos caddy cadillac cafepress cairographics cairometro caixabank
cake cakephp calcom calendly calibreweb campaignmonitor camunda canadianbroadcastingcompany canonical canva canvas capacitor caprover carbon
cardano cardmarket carlsberggroup carrd carrefour carthrottle carto cashapp cassandra castbox castorama castro caterpillar cbc cbs ccc
ccleaner cdprojekt ce celery celestron centerforopenscience centos ceph cesium ceylon chai chainguard chainlink chakraui changedetection
channel channel4 charles chart chartjs chartmogul chase chatbot chatwoot checkio checkmarx checkmk chedraui cheerio chef chemex chesscom
chevrolet chianetwork chinacompulsorycertificate chinaeasternairlines chinarailway chinasouthernairlines chocolatey chromatic chrome
chromecast chromewebstore chrysler chupachups cilium cinema4d cinnamon cinny circle circleci circuitverse cirrusci cisco citrix citroën
civicrm civo clarifai claris clarity clarivate claude claudecode clerk clevercloud clickhouse clickup cline clion clockify clojure
clojurescript cloud cloud66 cloudbees cloudcannon cloudera cloudflare cloudflarepages cloudflareworkers cloudfoundry cloudinary
cloudnativebuild cloudron cloudrun cloudsmith cloudstack cloudways clubforce clubhouse clyp cmake cncf cnes cnet cnn cobalt cobol cocacola
cockpit cockroachlabs cocoapods coda codacy codeac codeberg codebuddy codecademy codeceptjs codechef codeclimate codecov codecrafters
codefactor codeforces codefresh codeigniter codeium codemagic codementor codemirror codenewbie codepen codeproject coder coderabbit
codersrank coderwall codesandbox codeship codesignal codestream codewars codex codingame codingninjas codio coffeescript coggle coinbase
coinmarketcap collaboraoffice collaboraonline collaboraproductivity comicfury comma commerzbank commitlint commodore commonlisp
commonworkflowlanguage compilerexplorer composer comptia comsol conan concourse condaforge conekta confluence construct construct3 consul
contabo contactlesspayment containerd contao contensis contentful contentstack continente contributorcovenant conventionalcommits convertio
convex cookiecutter coolermaster coolify coop copaairlines coppel cora cordova coreboot corejs coreldraw coronaengine coronarenderer corsair
cosmosdb couchbase couchdb counterstrike countingworkspro coursera coveralls coze cpanel cplusplus craftcms craftsman cratedb crayon
creality createreactapp creativecommons creativetechnology credly crehana crewai crewunited criticalrole crowdin crowdsource crunchbase
crunchyroll cryengine cryptomator cryptpad crystal csdn csharp css css3 cssdesignawards cssmodules csswizardry cts cucumber cultura curl
curseforge cursor customink cyberdefenders cypress cypressio cytoscape cytoscapejs d3 d3js dacia daf dailydev dailymotion daisyui dapr
darkreader dart darty daserste dash dash0 dashlane dask dassaultsystèmes dataai databricks datacamp datadog datagrip dataiku dataspell
datastax datatables dataversioncontrol datefns datev datocms datto davinciresolve dazhongdianping dazn dbeaver dblp dcentertainment debian
debridlink decapcms decentraland dedge deepcool deepgram deepin deepl deeplake deepmind deepnote deepseek deezer deliveroo dell delphi delta
deluge deno denodeploy denojs denon dependabot depositphotos derspiegel detaspace deutschebahn deutschebank deutschepost deutschetelekom
deutschewelle devbox devcontainers developmentcontainers devexpress deviantart devicon devpost devrant devto devuan dgraph dhl diagramsnet
dialogflow diaspora dicebear dictionarycom dify digg digikeyelectronics digitalocean dinersclub dior directus discloud discogs discord
discordjs discourse discover disqus disroot distrobox distrokid django djangorest dji dlib dlna dlthub dm dmdrogeriemarkt dmm docker docsify
docsrs doctrine docusaurus dodopayments dogecoin doi dolby dolibarr dolphin dolphinscheduler doordash doris dota dota2 dotenv dotnet
dotnetcore douban doubanread dovecot dovetail downdetector doxygen dpd dragonframe draugiemlv drawio dreamstime dreamweaver dribbble drizzle
drone drooble dropbox dropwizard druid drupal dsautomobiles dts dtube ducati duckdb duckduckgo dunked dunzo duolingo duplicati dvc
dwavesystems dwm dyalog dynamodb dynatrace e3 ea eac eagle easyeda easyjet ebay ebaykleinanzeigen ebox echarts eclipse eclipseadoptium
eclipseche eclipseide eclipsejetty eclipsemosquitto eclipsevertx ecosia ecovacs ecto edeka edgeimpulse editorconfig educative edx effect
egghead egnyte eight eightsleep ejs elastic elasticcloud elasticsearch elasticstack elavon eleclerc electron electronbuilder electronfiddle
electronicentertainmentexpo elegoo element elementary elementor elevenlabs eleventy elgato elixir elk elm elsevier emacs emailjs embarcadero
embark embeddedc ember emberjs emby emirates emlakjet endeavouros enpass ens ente enterprisedb entityframeworkcore env envato envoy
envoyproxy epel epicgames epifi epson equinixmetal eraser ericsson erlang erpnext esbuild esea eslgaming eslint esotericsoftware esphome
espressif esri etcd ethereum ethers ethiopianairlines etihadairways etsy eu eurasianconformity eventstore evernote everyorg excalidraw
exercism exordo exoscale expedia expensify expertsexchange expo express expresscom expressjs expressvpn extensiblemarkuplanguage eyeem f# f1
f5 facebook facebookgaming facebooklive faceit facepunch fairphone faker falco falcon fampay fandango fandom fanfou fantom farcaster
fareharbor farfetch fastapi fastify fastlane fastly fathom fauna faunadb favro fawry fcc fdroid feathersjs fedex fedora feedly ferrari
ferrarinv ferretdb ffmpeg fi fiat fiber fidoalliance fifa fig figma figshare fila filament filamentphp fileio filen files filezilla fillout
fimoney fineco fing fip firebase firebird firefish fireflyiii firefox firefoxbrowser fireship firewalla first fish fishaudio fishshell
fitbit fite fivem fiverr fizz flashforge flask flat flathub flatpak flickr flightaware flink flipboard floatplane flood floorp flower
fluentbit fluentd fluke flutter flux fluxer flyio flyway fmod fnac folium folo fonoma fontawesome fontbase fontforge foobar foobar2000
foodpanda ford forgejo formbricks formik formspree formstack fortinet fortnite fortran fossa fossilscm foundation foundryvirtualtabletop
foursquare fox foxtel fozzy framer framermotion framework framework7 franceculture franceinter francemusique frankenphp franprix frappe
fraunhofergesellschaft freebsd freecad freecodecamp freedesktoporg freelancer freelancermap freemarker freenas freenet freepik freetube
fresh freshrss frigate frontendmentor frontify fsharp fubo fueler fugacloud fujifilm fujitsu furaffinity furrynetwork fusion fusionauth
futurelearn fyle g2 g2a g2g galaxus gamasutra gamebanana gamedeveloper gamejolt gameloft gamemaker gamescience gandi gardener garmin
garudalinux gatling gatsby gazebo gcc gcore gdal geeksforgeeks generalelectric generalmotors genius gentoo geocaching geode geopandas gerrit
getx ghidra ghost ghostery ghostfolio ghostty gimp gin giphy git gitbook gitcode gitconnected gitea gitee gitextensions gitforwindows github
githubactions githubcodespaces githubcopilot githubpages githubsponsors gitignoreio gitkraken gitlab gitlfs gitpod gitter glance glass
glassdoor glaxosmithkline gleam glide glinet glitch globus glovo gltf gmail gmx gnome gnometerminal gnu gnubash gnuemacs gnuicecat
gnuimagemanipulationprogram gnuprivacyguard gnuradio gnusocial go gocd godaddy godot godotengine godox gofundme gogcom gojek goland
goldmansachs goodreads google googleadmob googleads googleadsense googleanalytics googleappscript googleappsscript googleassistant
googleauthenticator googlebard googlebigquery googlebigtable googlecalendar googlecampaignmanager googlecampaignmanager360 googlecardboard
googlecast googlechat googlechrome googlechronicle googleclassroom googlecloud googlecloudcomposer googlecloudspanner googlecloudstorage
googlecolab googlecontaineroptimizedos googledataflow googledataproc googledeepmind googledocs googledrive googleearth googleearthengine
googlefonts googleforms googlegemini googlehome googlejules googlekeep googlelens googlemaps googlemarketingplatform googlemeet
googlemessages googlenearby googlenews googlepay googlephotos googleplay googlescholar googlesearchconsole googlesheets googleslides
googlestreetview googlesummerofcode googletagmanager googletasks googletranslate googletv gotomeeting gotowebinar gplv gplv3 gpp grab gradio
gradle gradleplaypublisher grafana grafanak grafanak6 grafanaloki grails grammarly grandfrais grapheneos graphite graphql grav gravatar
graylog greasyfork greatlearning greenhouse greensock greensockanimationplatform greptimedb gridai gridsome grocy groovy groupme groupon
grpc grunt gsap gsk gsma gsmarenacom gsoc gstreamer gtk guacamole guangzhoumetro guilded guitarpro gulp gumroad gumtree gunicorn gurobi
gusto gutenberg h2database h3 habr hackaday hackclub hackerearth hackernoon hackerone hackerrank hackmd hackster hackthebox hadoop hal
handlebars handlebarsjs handshake happycow haproxy harbor hardhat harmonyos harvester hashcat hashicorp hashnode haskell hasura
hatenabookmark haveibeenpwned havells haxe haystack hbase hbo hbomax hcl hdb hdfcbank headlessui headphonezone headspace hearth hearthisat
hedera hedgedoc helium heliumbrowser helix hellofresh hellyhansen helm helpdesk helpscout hepsiemlak here hermes heroicgameslauncher heroku
heroui hetzner hevy hexlet hexo hey hibernate hibob hibp hilton hitachi hive hivemq hmos homarr homeadvisor homeassistant
homeassistantcommunitystore homebrew homebridge homepage homify honda honey honeybadger honeygain hono honor hootsuite hoppscotch hostinger
hotelscom hotjar hotwire houdini houzz hp hsbc htc htcvive html html5 htmlacademy htmx htop httpie huawei huaweiappgallery hubspot
huggingface hugo humblebundle humhub husqvarna hyper hyperskill hyperv hyperx hypit hypothesis hyprland hyundai i18next i3 iata ibeacon
iberia icecat iced icicibank icinga icloud icomoon icon iconfinder iconify iconjar icons icons8 icq ie ie10 ieee ifixit ifood ifttt igdb ign
iheartradio ikea illustrator iloveapi iloveimg ilovepdf imagej imagemanipulationprogram imagesc imagetoolbox imdb imessage imgur immer
immersivetranslate immich imou improvmx indeed indiansuperleague indiehackers indieweb indigo inductiveautomation inertia inertiajs infiniti
infinityfree influxdb infomaniak infoq infosys infracost infuse ingress inkdrop inkscape inoreader inquirer insomnia inspire insta insta360
instacart instagram instapaper instatus instructables instructure intel intellij intellijidea interactiondesignfoundation interactjs
interbase intercom intermarche internetarchive internetcomputer internetcomputerprotocol intigriti intuit invidious invoiceninja iobroker
ionic ionos ios iota ipfs iris irobot isc isc2 isro issuu istio itchio iterm iterm2 itunes itvx iveco jabber jaeger jaegertracing jameson
jamstack japanairlines jasmine java javascript jbl jcb jdoodle jeep jeet jekyll jellyfin jenkins jest jet jetblue jetbrains jetpackcompose
jfrog jfrogpipelines jhipster jinja jio jira jiraalign jirasoftware jitpack jitsi jmeter johndeere joomla joplin jouav jovian jpeg jquery
jrgroup jsdelivr jsfiddle json jsonwebtokens jsr jss juce juejin juke jule julia junie junipernetworks junit junit5 jupyter just justeat
justeattakeawaycom justgiving jwt k3os k3s k6 k8s kafka kaggle kagi kaios kakao kakaotalk kaldi kalilinux kamailio kando kaniko karakeep
karatelabs karlsruherverkehrsverbund karma kasasmart kashflow kaspersky katana kaufland kde kdeneon kdenlive kdeplasma kdesktopenvironment
kedro keenetic keepachangelog keepassxc keeper keeweb kenmei kentico kentuckyfriedchicken keploy keras keybase keycdn keycloak keystone kfc
khanacademy khronosgroup kia kibana kicad kick kickstarter kik kimi kingston kingstontechnology kinopoisk kinsta kirby kit kitsu kiwix
klarna kleinanzeigen klm klook knative knex knexjs knime knip knowledgebase known koa koc kodak kodi kodular koenigsegg kofax kofi komoot
konami kong kongregate konva koreader kotlin koyeb krakenjs kred krita ktm ktor kuaishou kubeflow kubernetes kubespray kubuntu kucoin kueski
kuma kununu kuula kx kylin kyocera labex labview lada lamborghini laminas langchain langchaincorporate langflow langgraph languagetool lapce
laragon laravel laravelhorizon laraveljetstream laravelnova lastfm lastpass latex launchpad lazarus lazyvim lbry leaderprice leaflet
leagueoflegends leanpub leetcode lefthook legacygames leica lemmy lemonsqueezy lenovo lens leptos lerna leroymerlin leslibraires less
letterboxd levelsfyi lg liberachat liberapay libgdx librariesio librarything libreoffice libreofficebase libreofficecalc libreofficedraw
libreofficeimpress libreofficemath libreofficewriter libretranslate libretube librewolf libuv lichess lidl lifx lightburn lighthouse
lightning limesurvey line lineageos linear lining linkedin linkerd linkfire linksys linktree linkvertise linphone lintcode linux
linuxcontainers linuxfoundation linuxmint linuxprofessionalinstitute linuxserver lionair liquibase listenhub listmonk lit litecoin literal
litiengine livechat livejournal livekit livewire llvm lmms lmstudio lmstudiobionic lobsters local localsend localxpose locust lodash logmein
logseq logstash longhorn looker loom loop loopback loops lootcrate lospec lotpolishairlines lottiefiles lovable love2d ltspice lua luanti
luau lubuntu lucene lucia lucid lucide ludwig lufthansa lumen lunacy luogu lutris lvgl lydia lyft m5stack maas macos macpaw macports
magasinsu magento magic magisk mahindra mailbox mailchimp mailcom mailgun mailru mailtrap mainwp majorleaguebaseball majorleaguehacking make
makerbot makeuseof mal malt malwarebytes mambaui mamp man manageiq mangacollec mangaupdates manjaro mantine mapbox mapillary maplibre
maptiler mariadb mariadbfoundation markdown marko marriott marvelapp maserati mastercard mastercomfig mastodon materialdesign
materialdesignicons materialformkdocs materializecss materialui matic matillion matlab matomo matplotlib matrix matter matterjs mattermost
matternet mautic maven max maxplanckgesellschaft maya maytag mazda maze mcafee mclaren mcp mdblist mdbook mdnwebdocs mdx mealie mediafire
mediamarkt mediapipe mediatek medibangpaint medium medusa meetup mega meilisearch meituan meizu memcached mendeley mentorcruise mercadopago
merck mercurial mermaid messenger meta metaai metabase metacritic metafilter metager metasploit meteor metro metrodelaciudaddeméxico
metrodemadrid mewe mezmo mg microblog microeditor microfocus micropython microsoftsqlserver microstarinternational microstation
microstrategy midi migadu mihon mihoyo mikrotik milanote milvus minds minetest mingww mingww64 mini minimax minio minitab mintlify
minutemailer miraheze miro misskey mistralai mithril mitsubishi mix mixcloud mixpanel mlb mlflow mobx mobxstatetree mocha mockserviceworker
modal modelcontextprotocol modelscope modin modrinth modx mojeek moleculer momenteo monero moneygram mongock mongodb mongoose monica
monkeytie monkeytype monogame monoprix monster monzo moo moodle moonrepo moonshotai moq moqups morrisgarages morrisons moscowmetro motion
motorola movistar mozilla mpv mqtt msbuild msdos msi msibusiness mta mtr mubi mui mullvad mullvadvpn multisim mumble muo mural musicbrainz
mxlinux myanimelist myget myob myshows myspace mysql métrodeparis müller n26 n8n namebase namecheap namemc namesilo namuwiki nano nanostores
napster nasa nasm nationalgrid nationalhockeyleague nationalrail nativescript nats natsio naver nba nbb nbc ndi ndr near nebula nec
nederlandsespoorwegen neo4j neon neovim neptune nestjs net netapp netbeans netbeanside netbox netbsd netcup netdata neteasecloudmusic
netflix netgear netim netlify netlifycms nette netto networkx neutralinojs newapi newbalance newegg newgrounds newjapanprowrestling newpipe
newrelic newyorktimes nexon next nextbike nextbillionai nextcloud nextdns nextdoor nextflow nextjs nextra nextui nfc nfcore nginx
nginxproxymanager ngrok ngrx nhibernate nhl nhost nicehash niconico nifi nike nikon nim nimble niri nissan nixos njpw njpwworld nobaralinux
node nodebb nodegui nodejs nodemon nodered nodewebkit nokia nomad norco nordicsemiconductor nordvpn norg normalizecss norton norwegian note
notebooklm notepad++ notesnook notion notist nounproject novelwriter novu now npm npss nrwl nsis ntfy nubank nucleo nuget nuke numba numpy
nunjucks nushell nutanix nuxt nuxtjs nvidia nvm nx nxp nzxt o2 oauth observable obsidian obsstudio obtainium ocaml oceanbase oclc oclif
octanerender octave octobercms octoprint octopusdeploy oculus odido odin odnoklassniki odoo odysee ohdear ohmyzsh okcupid okta okx ollama
omadacloud omarchy oneplus onestream onlyfans onlyoffice onnx onstar oomol opel open3d openaccess openaigym openal openapi openapiinitiative
openbadges openbao openbsd openbugbounty opencage opencl opencode opencollective opencontainersinitiative opencritic opencv openfaas opengl
openhab openid openjdk openjsfoundation openlayers openmediavault openmined opennebula openoffice openproject openrouter openscad
openscienceframework opensea opensearch opensourcehardware opensourceinitiative openssl openstack openstreetmap opensuse opentelemetry
opentext opentf opentofu opentui openverse openvpn openwrt openzeppelin openzfs opera operagx opnsense oppo opsgenie opslevel optimism
optuna oracle oraclevirtualbox orange orchardcore orcid org organicmaps origin ory osano osf osgeo oshkosh oshwa osmand osmc otel otoy otto
outline overcast overleaf ovh owasp owaspdependencycheck owncloud oxc oxygen oyo p5 p5js packagist packer packt paddle paddlepaddle
paddypower padlet pagekit pagerduty pagespeedinsights pagseguro palantir paloaltonetworks paloaltosoftware panasonic pandas pandoc pandora
pangolin pantheon paperlessngx paperspace paperswithcode paradoxinteractive paramount+ paritysubstrate parquet parrotsecurity parsely
passbolt passport pastebin patreon payback paychex payhip payloadcms payoneer paypal paysafe paysafecard paytm pcgamingwiki pdfbox pdm pdq
peakdesign pearson pearsonvue peerlist peertube pegasusairlines pelican peloton penny penpot percy perforce perl perplexity persistent
personio petsathome peugeot pexels pfsense phabricator phalcon philipshue phoenixframework phonepe phosphoricons photobucket photocrowd
photon photonengine photopea photoshop php phpbb phpmyadmin phpstorm pi pia piaggiogroup piapro picardsurgelés picartotv picnic picpay
picrew picsart picxy pihole pimcore pinboard pinescript pinetwork pingdom pinia pino pinterest pioneerdj pipecat piped pipx pivotaltracker
piwigo pix pixabay pixelfed pixijs pixiv pixlr pkgsrc plane planet planetscale plangrid platformio platformsh platzi plausibleanalytics
playcanvas playerfm playerme playstation playstation2 playstation3 playstation4 playstation5 playstationportable playstationvita playwright
pleroma plesk plex plotly plume pluralsight plurk pm pm2 pnpm pocketbase pocketcasts pocketnet podcastaddict podcastindex podman poe poetry
polars polestar polkadot poly polygon polymerproject polywork pomerium pond pond5 porkbun porsche portableappscom portainer portswigger
posit positron postcss postgres postgresql posthog postiz postman postmates powers powershell prco preact precommit prefect prek premid
premierepro premierleague prepbytes prestashop presto prettier pretzel prevention prezi primefaces primeng primereact primevue printables
prisma prismic privacyguard privatedivision privateinternetaccess probot processing processingfoundation processon processwire producthunt
progate progress progressivewebapplication prolog prometheus pronounspage prosemirror prosieben proteus protocolsio protoio proton
protoncalendar protondb protondrive protonmail protonvpn protools protractor proxmox psp pterodactyl pubg publons pubmed pug pulsar pulumi
puma puppet puppeteer purescript purgecss purism pushbullet pusher putty pwa pycharm pycqa pydantic pyg pypi pypy pyscaffold pyscript pysyft
pytest python pythonanywhere pytorch pytorchgeometric pyup qantas qase qatarairways qbittorrent qdrant qemu qgis qi qiita qiskit qiwi qlik
qlty qmk qnap qodana qodo qq qt qtest quad quad9 quad9dns qualcomm qualcommsnapdragon qualtrics qualys quantcast quantconnect quarkus quarto
quasar qubesos quest quickbooks quicklook quicktime quicktype quizlet quora qwant qwen qwik qwiklabs qzone r3 rabbitmq racket radar radarr
radiantearth radiocanada radiofrance radixui radstudio rails railway rainmeter rainyun rakuten rakutenkobo ram rancher rapid rarible rasa
raspberrypi ratatui ravelry ravendb ray raycast raylib razer razorpay rclone reach react reactbootstrap reactflow reacthookform
reactiveresume reactivex reactnative reactnavigation reactos reactquery reactrouter reacttable readcv readme readthedocs realm reason
reasonstudios recoil rect red redash redbubble redbull redcandlegames reddit redhat redhatopenshift redis redmine redox redragon redsys
redux reduxsaga redwoodjs reebok refine refinedgithub reflex rekaui relay relianceindustrieslimited remark remedyentertainment remix
removebg renault render renovate renpy renren replicate replit republicofgamers rescript rescuetime researchgate resend resharper
resurrectionremixos retool retroachievements retroarch retropie revanced reveal revealjs revenuecat reverbnation revolt revoltchat revolut
rewe rexx rezgo rhinoceros rich rider rimacautomobili rime ring riotgames ripple riscv riseup ritzcarlton rive roadmapsh roamresearch
robinhood roblox robloxstudio roboflow robotframework rocket rocketchat rocketmq rocksdb rockstargames rockwellautomation rockylinux rog
roku roll roll20 rollbar rolldown rollsroyce rollup rollupjs rook roon root rootme roots rootsbedrock rootssage ros rossmann
rotaryinternational rottentomatoes roundcube rsocket rspec rss rstudio rstudioide rtl rtlzwei rtm rté rubocop ruby rubygems rubymine
rubyonrails rubysinatra ruff rumahweb rumble rundeck runkeeper runkit runrunit rust rustdesk rustfs rxdb rxjs ryanair rye
régiedestransportsdemarseille s7airlines sabanci safari sage sagemath sahibinden sailfishos sails sailsjs salesforce salla saltproject
samsung samsungpay sanfranciscomunicipalrailway sanic sanity sap sapper sartorius sass sat sat1 satellite saturn saucelabs saudia scala
scalar scaleway scalingo scan scania schneiderelectric scikitlearn scilab scipy scopus scpfoundation scrapbox scrapy scratch screencastify
scrimba scrollreveal scrumalliance scrutinizerci scylladb sdl seaborn seafile seagate searxng seat seatgeek securityscorecard sefaria sega
selenium sellfy sema semanticrelease semanticscholar semanticui semanticuireact semanticweb semaphoreci semrush semver sencha sennheiser
sensu sentry sepa sequelize servbay serverfault serverless session sessionize setapp setuptools sfml shadow shanghaimetro sharex sharp
shazam shell shelly shenzhenmetro shieldsio shikimori shopee shopify shopware shortcut shotgrid showpad showtime showwcase sidekiq sidequest
siemens sifive signal silverairways similarweb simkl simpleanalytics simpleicons simpleiconscdn simplelocalize simplelogin simplenote
simplex sinaweibo singaporeairlines singlestore sitecore sitepoint siyuan skaffold skeleton sketch sketchfab sketchup skillshare sky skypack
slack slackware slashdot slickpic slides slideshare slint smart smartthings smashingmagazine smoothcomp smrt smugmug snapchat snapcraft
snapdragon sncf snort snowflake snowpack snyk social socialblade society society6 socket socketio softcatalà softpedia sogou solana solid
solidity solidjs solidworks sololearn solr solus solvedac sonar sonarcloud sonarlint sonarqube sonarqubecloud sonarqubeforide
sonarqubeserver sonarr sonatype songkick songoda sonicwall sonos sony soriana soundcharts soundcloud sourceengine sourceforge sourcehut
sourcetree southwestairlines spacemacs spaceship spacex spack spacy spark sparkar sparkasse sparkfun sparkpost spdx speakerdeck spectrum
speedtest speedypage sphereonlinejudge sphinx spicedb spidermonkey spigotmc spine spinnaker splunk spoj spond spotify spotlight spreadshirt
spreadshop spreaker spring springboot springsecurity spss spyder spyderide sqlalchemy sqldeveloper sqlite square squareenix squarespace
srgssr ssh ssrn sst stackbit stackblitz stackedit stackexchange stackhawk stackoverflow stackshare stadia staffbase stagetimer standardjs
standardresume starbucks stardock starlingbank starship startgg startpage startrek starz stata statamic statista statuspage statuspal steam
steamdb steamdeck steamworks steelseries steem steemit steinberg stellar stencil stenciljs stencyl stimulus stmicroelectronics stockx
stopstalk storm storyblok storybook strapi strava streamlabs streamlit streamrunners stremio stripe strongswan stryker stubhub studio3t
styledcomponents stylelint styleshare stylus subaru sublimetext substack subtitleedit subversion suckless sui suitest sulu sumologic sumup
suno sunrise supabase supercell supercrease supermicro superset superuser surfshark surrealdb surveymonkey suse suzuki svelte svelteflow svg
svgjs svgo svgtrace swagger swarm sway swaywm swc swift swiggy swiper swisscows swr sy symantec symbolab symfony symphony sympy syncthing
synology system system76 sãopaulometro tabelog tablecheck tacobell taichigraphics taichilang tails tailscale tailwindcss taipy
taketwointeractivesoftware talend talenthouse talos tamiya tampermonkey tangled tanstack taobao tapas target tarom tarteaucitron task
tasmota tata tataconsultancyservices tauri taxbuzz tcs teal teamcity teamspeak teamviewer techcrunch ted teepublic teespring tekton tele
tele5 telefónica telegram telegraph telenor teleport temporal tencenthy tensorflow tenzir teradata teratail termius terraform terramate
tesco tesla testcafe testin testinglibrary testrail tether tex textpattern textual tga thangs thanos thealgorithms theboringcompany
theconversation thefinals thegameawards theguardian theirishtimes themighty themodelsresource themoviedatabase thenorthface theodinproject
theplanetarysociety theregister thesoundsresource thespritersresource thestorygraph thewashingtonpost theweatherchannel thingiverse things
thinkpad thirdweb threadless threads three threedsmax threejs threema thumbtack thunderbird thunderstore thurgauerkantonalbank thymeleaf
ticketmaster tickettailor ticktick tidal tidb tiddlywiki tide tidyverse tietoevry tigerbeetle tiktok tildapublishing tile timescale tina
tinder tindie tinkercad tinygo tinygrad tinyletter tistory titaniumsdk tldraw tmdb tmobile tmux todoist toggl toggltrack tokio tokyometro
toll tomcat toml tomorrowland tomtom ton topcoder topgg toptal torbrowser torizon torproject tortoisegit toshiba totvs tourbox tower
towergit toyota tplink tqdm traccar tradingview trae traefikmesh traefikproxy trailforks trainerroad trakt transifex transmission
transportforireland transportforlondon travis travisci traxsource treehouse trello trendmicro tresorit treyarch trezor tricentis trilium
triller trillertv trimble trino tripadvisor tripcom triplet trivago trivy trmnl trove trpc truenas trueup trulia trustedshops trustpilot
tryhackme tryitonline tsnode tubi tui tumblr turbo turborepo turbosquid turkishairlines turso tuta tutanota tuxedocomputers tv4play tvtime
twenty twilio twinkly twinmotion twitch twitter ty typeform typeorm typer typescript typo typo3 typst téléquébec uber ubereats ubiquiti
ubisoft ublockorigin ubuntu ubuntumate udacity udemy ufc uikit uipath ukca ultralytics ulule umami umbraco umbrel uml unacademy underarmour
underscore underscorejs undertale unicode unifiedjavascript unifiedmodelinglanguage unifiedmodellinglanguage unilever uniqlo unitedairlines
unity unix unjs unlicense unocss unpkg unraid unrealengine unsplash unstop untappd upcloud uphold uplabs upptime ups upstash uptimekuma
upwork usdt uservoice usnews usps utorrent uv uwsgi v0 v2ex v8 vaadin vagrant vala valorant valve vanillaextract vapor vault vaultwarden
vauxhall vbulletin vectary vectorlogozone vectorworks veeam veed veepee veevalidate vega vegas velocity velog vencord venmo vercel verdaccio
veritas verizon vertx vespa vestel vexxhost vfairs viadeo viaplay viber viblo victoriametrics victronenergy vikunja vim vimeo
vimeolivestream vinted virgin virginatlantic virgingroup virginmedia virtualbox virustotal visa visualbasic visualparadigm visualstudio visx
vite vitejs vitepress vitess vitest vivaldi vivawallet vivino vivint vivo vk vlang vlcmediaplayer vllm vm vmware vodafone voelkner voidlinux
voipms volkswagen volvo vonage vorondesign vowpalwabbit vox vrchat vsco vscode vscodium vsphere vtex vue vuejs vuestorefront vuetify vueuse
vulkan vultr vyond vyper w3schools wacom wagmi wagtail wails wakatime waku walkman wallabag walletconnect wantedly wappalyzer warp wasabi
wasm wasmcloud wasmer wasp watchtower wattpad wayland waze wazirx wearos weasyl weathercom web2py web3 web3js webassembly webauthn
webawesome webcomponentsorg webde webdriverio webex webflow webgl webgpu weblate webmin webmoney webpack webrtc webstorm webtoon webtrees
wechat wegame welcometothejungle wellfound wellsfargo wemo weread westernunion wetransfer wezterm wgpu what3words whatsapp wheniwork wiki
wikibooks wikidata wikigg wikijs wikimediacommons wikimediafoundation wikipedia wikiquote wikisource wikiversity wikivoyage winamp windows
windows11 windows8 windsurf wine wipro wire wireguard wireshark wise wish wistia wix wizzair wolfram wolframlanguage wolframmathematica
wondershare wondersharefilmora woo woocommerce wordpress workplace worldhealthorganization wpengine wpexplorer wprocket writeas wttj wwe
wwise wxt wykop wyze xamarin xampp xcode xd xdadevelopers xendit xero xfce xiaohongshu xiaomi xing xml xmpp xo xorg xrp xsplit xstate
xubuntu xyflow yaak yabai yale yamahacorporation yamahamotorcorporation yaml yandexcloud yarn ycombinator yelp yeti yew yii yoast yolo
youhodler youtrack youtube youtubegaming youtubekids youtubemusic youtubeshorts youtubestudio youtubetv yr yubico yugabytedb yunohost zai
zaim zalando zalo zap zapier zara zazzle zcash zcool zdf zebpay zebratechnologies zec zectrix zed zedattackproxy zedindustries zelle
zenbrowser zend zendesk zenn zenodo zensar zensical zerodha zerotier zettlr zhihu zig zigbee zigbee2mqtt ziggo zilch zilliz zillow
zincsearch zingat zod zoho zoiper zola zomato zoom zorin zotero zsh zulip zustand zx zyte îledefrancemobilités öbb
österreichischebundesbahnen škoda żabka
`;

let names: ReadonlySet<string> | undefined;

/** Numbers and a small first letter are no form of a place: "Python 3", "iPhone". */
const FORM = /\d|^\p{Ll}+\p{Lu}/u;

/** Whether people name a product or a brand by this: nobody moves house to "Linux" or "PostgreSQL 17". */
export function isProductName(name: string): boolean {
  names ??= new Set(NAMES.trim().split(/\s+/));
  return FORM.test(name) || names.has(name.toLowerCase().replace(/[\s._-]+/g, ''));
}
