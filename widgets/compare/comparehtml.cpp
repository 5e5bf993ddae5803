// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparehtml.h"

namespace trainyard
{
namespace
{

constexpr char reportStyle[] = "body{font:14px system-ui,sans-serif;margin:2em;color:#1c2128;background:#fff}"
                               "h1{font-size:1.5em}h2{font-size:1.1em;margin:1.5em 0 .4em}p{color:#5b6470}"
                               "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
                               "th,td{padding:.3em .9em;text-align:right;border-bottom:1px solid #dde1e6}"
                               "th{color:#5b6470;font-weight:600}tr.best td{font-weight:600;background:#eaf1fe}"
                               "svg{max-width:100%;height:auto}";

QByteArray htmlCells(const QStringList &row, const char *tag)
{
    QByteArray html;
    for (const QString &text : row) {
        html += '<' + QByteArray(tag) + '>' + text.toHtmlEscaped().toUtf8() + "</" + tag + '>';
    }
    return html;
}

// Without what only a file of its own may have.
QByteArray inlinedSvg(const QByteArray &svg)
{
    const qsizetype begin = svg.indexOf("<svg");
    return begin < 0 ? QByteArray() : svg.sliced(begin);
}

} // namespace

QByteArray compareHtml(const CompareReport &report)
{
    const QByteArray title = report.title.toHtmlEscaped().toUtf8();
    QByteArray html = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>" + title + "</title><style>"
        + reportStyle + "</style></head><body>\n<h1>" + title + "</h1>\n";
    for (const QString &remark : report.remarks) {
        html += "<p>" + remark.toHtmlEscaped().toUtf8() + "</p>\n";
    }
    html += "<table>\n";
    for (qsizetype i = 0; i < report.rows.size(); ++i) {
        html += report.best.contains(i) ? QByteArrayLiteral("<tr class=\"best\">") : QByteArrayLiteral("<tr>");
        html += htmlCells(report.rows.at(i), i == 0 ? "th" : "td") + "</tr>\n";
    }
    html += "</table>\n";
    for (const CompareReport::Picture &picture : report.pictures) {
        html += "<h2>" + picture.title.toHtmlEscaped().toUtf8() + "</h2>\n" + inlinedSvg(picture.svg) + '\n';
    }
    return html + "</body></html>\n";
}

} // namespace trainyard
