// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"
#include "widgets/jobs/filtercompletion.h"

#include <QWidget>

#include <functional>

class QCompleter;
class QStringListModel;

namespace trainyard
{

class ColourLabel;
class SearchField;

// A field for a filter of jobs. It completes keys, states, tags and names, and says below what is wrong with the text.
// Meanwhile the conditions before hold; so they do while the beginning of a key is typed.
class FilterField : public QWidget
{
    Q_OBJECT
public:
    explicit FilterField(const QString &placeholder, QWidget *parent = nullptr);
    SearchField *field() const { return m_field; }
    const JobFilter &filter() const { return m_filter; }
    QString text() const;
    void setText(const QString &text);
    void setWords(const std::function<FilterWords()> &words); // asked for when they are needed
    QString errorText() const; // that is shown; empty: none
    void setRemark(const QString &text); // below, on what the filter means; empty: none
    QString remark() const;

Q_SIGNALS:
    void filterChanged();
    void listRequested(); // the down key, which goes on to the rows
    void firstRequested(); // Return: what it has found first is to be opened

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void read();
    QString settledText() const;
    void complete();
    void insert(const QString &word);

    SearchField *m_field;
    ColourLabel *m_error;
    ColourLabel *m_remark;
    QStringListModel *m_candidates;
    QCompleter *m_completer;
    std::function<FilterWords()> m_words;
    JobFilter m_filter;
};

} // namespace trainyard
