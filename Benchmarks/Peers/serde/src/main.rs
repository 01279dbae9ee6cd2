// serde_json as lanes of the benchmark: requests come in on lines, times go out on lines (see PeerProcess.swift). The models are those
// of the Swift lanes, and so are the fingerprints.

use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, Write};

/// Nanoseconds of this thread, as the other lanes count them.
fn clock() -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    let thread = if cfg!(target_os = "macos") { 16 } else { 3 };
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // Safe: the struct has the layout of the C library's timespec on 64-bit systems.
    unsafe { clock_gettime(thread, &mut time) };
    time.seconds as f64 * 1e9 + time.nanoseconds as f64
}

#[derive(Deserialize, Serialize)]
struct Metadata {
    result_type: String,
    iso_language_code: String,
}
#[derive(Deserialize, Serialize)]
struct Hashtag {
    text: String,
    indices: Vec<i64>,
}
#[derive(Deserialize, Serialize)]
struct Link {
    url: String,
    expanded_url: String,
    display_url: String,
    indices: Vec<i64>,
}
#[derive(Deserialize, Serialize)]
struct Mention {
    screen_name: String,
    name: String,
    id: i64,
    id_str: String,
    indices: Vec<i64>,
}
#[derive(Deserialize, Serialize)]
struct Entities {
    hashtags: Vec<Hashtag>,
    urls: Vec<Link>,
    user_mentions: Vec<Mention>,
}
#[derive(Deserialize, Serialize)]
struct TwitterUser {
    id: i64,
    name: String,
    screen_name: String,
    location: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    followers_count: i64,
    friends_count: i64,
    created_at: String,
    verified: bool,
    statuses_count: i64,
    lang: String,
    profile_image_url: String,
}
#[derive(Deserialize, Serialize)]
struct Status {
    metadata: Metadata,
    created_at: String,
    id: i64,
    text: String,
    source: String,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to_status_id: Option<i64>,
    user: TwitterUser,
    retweet_count: i64,
    favorite_count: i64,
    entities: Entities,
    favorited: bool,
    retweeted: bool,
    lang: String,
}
#[derive(Deserialize, Serialize)]
struct SearchMetadata {
    completed_in: f64,
    max_id: i64,
    max_id_str: String,
    next_results: String,
    query: String,
    refresh_url: String,
    count: i64,
    since_id: i64,
    since_id_str: String,
}
#[derive(Deserialize, Serialize)]
struct Archive {
    statuses: Vec<Status>,
    search_metadata: SearchMetadata,
}
#[derive(Deserialize, Serialize)]
struct MapProperties {
    name: String,
}
#[derive(Deserialize, Serialize)]
struct Polygon {
    r#type: String,
    coordinates: Vec<Vec<(f64, f64)>>,
}
#[derive(Deserialize, Serialize)]
struct Feature {
    r#type: String,
    properties: MapProperties,
    geometry: Polygon,
}
#[derive(Deserialize, Serialize)]
struct Map {
    r#type: String,
    features: Vec<Feature>,
}
#[derive(Deserialize, Serialize)]
struct GitHubUser {
    login: String,
    id: i64,
    avatar_url: String,
    gravatar_id: String,
    url: String,
    html_url: String,
    followers_url: String,
    following_url: String,
    gists_url: String,
    starred_url: String,
    subscriptions_url: String,
    organizations_url: String,
    repos_url: String,
    events_url: String,
    received_events_url: String,
    r#type: String,
    site_admin: bool,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    company: Option<String>,
    blog: String,
    location: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hireable: Option<bool>,
    bio: String,
    public_repos: i64,
    public_gists: i64,
    followers: i64,
    following: i64,
}
#[derive(Deserialize)]
struct Actor {
    login: String,
}
#[derive(Deserialize)]
struct Repository {
    name: String,
}
#[derive(Deserialize)]
struct Five {
    id: String,
    r#type: String,
    actor: Actor,
    repo: Repository,
    created_at: String,
}

type Reply = Vec<f64>;

fn reading<Model: DeserializeOwned>(text: &[u8], count: usize, fingerprint: fn(&Model) -> Reply) -> Reply {
    let mut result: Option<Model> = None;
    let start = clock();
    for _ in 0..count {
        result = Some(serde_json::from_slice(black_box(text)).unwrap());
    }
    let mut reply = vec![clock() - start];
    reply.extend(fingerprint(&result.unwrap()));
    reply
}

fn writing<Model: DeserializeOwned + Serialize>(text: &[u8], count: usize) -> Reply {
    let value: Model = serde_json::from_slice(text).unwrap();
    let start = clock();
    for _ in 0..count {
        black_box(serde_json::to_vec(black_box(&value)).unwrap());
    }
    vec![clock() - start]
}

fn five(text: &[u8], count: usize) -> Reply {
    let mut sums = [0usize; 3];
    let start = clock();
    for _ in 0..count {
        sums = [0; 3];
        for event in serde_json::Deserializer::from_slice(black_box(text)).into_iter::<Five>() {
            let event = event.unwrap();
            sums[0] += 1;
            sums[1] += event.actor.login.len() + event.repo.name.len();
            sums[2] += event.id.len() + event.r#type.len() + event.created_at.len();
        }
    }
    let mut reply = vec![clock() - start];
    reply.extend(sums.iter().map(|sum| *sum as f64));
    reply
}

fn of_twitter(archive: &Archive) -> Reply {
    let statuses = &archive.statuses;
    vec![
        statuses.len() as f64,
        statuses.iter().map(|s| s.text.len() + s.user.name.len()).sum::<usize>() as f64,
        statuses.iter().map(|s| s.user.followers_count + s.retweet_count).sum::<i64>() as f64,
        statuses.iter().flat_map(|s| &s.entities.user_mentions).flat_map(|m| &m.indices).sum::<i64>() as f64,
    ]
}

fn of_canada(map: &Map) -> Reply {
    let mut points = 0.0;
    let mut sum = 0.0;
    for ring in &map.features[0].geometry.coordinates {
        for point in ring {
            points += 1.0;
            sum += point.0;
            sum += point.1;
        }
    }
    vec![points, sum]
}

fn of_user(user: &GitHubUser) -> Reply {
    vec![user.id as f64, (user.bio.len() + user.received_events_url.len()) as f64, user.public_repos as f64]
}

fn main() {
    let mut texts: HashMap<String, Vec<u8>> = HashMap::new();
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.splitn(6, ' ').collect();
        let reply = match words[0] {
            "lanes" => "serde reading twitter.json;serde writing twitter.json;serde reading canada.json;serde writing canada.json;\
                        serde reading github_user.json;serde writing github_user.json;serde reading github_events.ndjson, five keys"
                .to_string(),
            "versions" => "serde_json 1, float_roundtrip".to_string(),
            _ => {
                let count: usize = words[3].parse().unwrap();
                let text = texts.entry(words[4].to_string()).or_insert_with(|| std::fs::read(words[4]).unwrap());
                let numbers = match (words[2], words[5]) {
                    ("reading", "twitter.json") => reading(text, count, of_twitter),
                    ("reading", "canada.json") => reading(text, count, of_canada),
                    ("reading", "github_user.json") => reading(text, count, of_user),
                    ("reading", "github_events.ndjson, five keys") => five(text, count),
                    ("writing", "twitter.json") => writing::<Archive>(text, count),
                    ("writing", "canada.json") => writing::<Map>(text, count),
                    ("writing", "github_user.json") => writing::<GitHubUser>(text, count),
                    _ => vec![],
                };
                numbers.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
            }
        };
        writeln!(output, "{reply}").unwrap();
        output.flush().unwrap();
    }
}
