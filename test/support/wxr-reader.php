<?php
// Reads an export as the importer of WordPress does, with PHP's own parsers, and writes what it finds as JSON.
[, $file] = $argv;
libxml_use_internal_errors(true);
$reader = new XMLReader();
$reader->open($file, null, LIBXML_PEDANTIC);
while ($reader->read());
$dom = new DOMDocument();
$dom->loadXML(file_get_contents($file));
$errors = array_map(fn ($error) => trim($error->message) . " in line $error->line", libxml_get_errors());
if ($errors !== []) {
    echo json_encode(['errors' => $errors]);
    exit(1);
}
$xml = simplexml_import_dom($dom);
$spaces = $xml->getDocNamespaces();
$version = $xml->xpath('/rss/channel/wp:wxr_version');
$base = $xml->xpath('/rss/channel/wp:base_blog_url');
$text = fn ($element) => (string) $element;
$authors = $terms = $posts = [];
foreach ($xml->xpath('/rss/channel/wp:author') as $author) {
    $wp = $author->children($spaces['wp']);
    $authors[(string) $wp->author_login] = (string) $wp->author_display_name;
}
foreach ($xml->xpath('/rss/channel/wp:category') as $term) {
    $wp = $term->children($spaces['wp']);
    $terms[] = ['category', (string) $wp->category_nicename, (string) $wp->cat_name];
}
foreach ($xml->xpath('/rss/channel/wp:tag') as $term) {
    $wp = $term->children($spaces['wp']);
    $terms[] = ['post_tag', (string) $wp->tag_slug, (string) $wp->tag_name];
}
foreach ($xml->channel->item as $item) {
    $wp = $item->children($spaces['wp']);
    $post = [
        'title' => (string) $item->title,
        'link' => (string) $item->link,
        'guid' => (string) $item->guid,
        'author' => (string) $item->children($spaces['dc'])->creator,
        'content' => (string) $item->children($spaces['content'])->encoded,
        'excerpt' => (string) $item->children($spaces['excerpt'])->encoded,
        'id' => (int) $wp->post_id,
        'date' => (string) $wp->post_date,
        'date_gmt' => (string) $wp->post_date_gmt,
        'name' => (string) $wp->post_name,
        'status' => (string) $wp->status,
        'type' => (string) $wp->post_type,
        'attachment' => (string) $wp->attachment_url,
        'terms' => [], 'meta' => [], 'comments' => [],
    ];
    foreach ($item->category as $category) {
        $attributes = $category->attributes();
        $post['terms'][] = [(string) $attributes['domain'], (string) $attributes['nicename'], (string) $category];
    }
    foreach ($wp->postmeta as $meta) $post['meta'][(string) $meta->meta_key] = (string) $meta->meta_value;
    foreach ($wp->comment as $comment) {
        $post['comments'][] = [
            'id' => (int) $comment->comment_id,
            'parent' => (int) $comment->comment_parent,
            'author' => (string) $comment->comment_author,
            'url' => (string) $comment->comment_author_url,
            'date_gmt' => (string) $comment->comment_date_gmt,
            'content' => (string) $comment->comment_content,
            'approved' => (string) $comment->comment_approved,
        ];
    }
    $posts[] = $post;
}
echo json_encode([
    'errors' => [], 'version' => (string) $version[0], 'base' => (string) $base[0],
    'authors' => $authors, 'terms' => $terms, 'posts' => $posts,
], JSON_THROW_ON_ERROR);
