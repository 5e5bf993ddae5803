// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/jobtemplates.h"
#include "engine/api/values.h"
#include "widgets/common/statepainter.h"

#include <QWidget>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace trainyard
{

class SearchField;
class TemplateCard;

// The first page: ways to start, what this computer has, recent files, and job templates with a picture of each.
class WelcomePage : public QWidget
{
    Q_OBJECT
public:
    explicit WelcomePage(QWidget *parent = nullptr);
    void setRecentFiles(const QStringList &files);
    void setTemplates(const QList<JobTemplate> &templates);
    void setComputer(const std::optional<HostInfo> &host, const QString &engineError);

Q_SIGNALS:
    void helloRequested();
    void newRequested();
    void openRequested();
    void fileRequested(const QString &path);
    void templateRequested(const QString &id);
    void galleryRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrangeWays(bool sideBySide, int column);
    void arrangeTemplates();
    struct Fact {
        StateShape shape;
        QString name;
        QString value;
        friend bool operator==(const Fact &, const Fact &) = default;
    };
    QList<Fact> m_facts; // about this computer, as they are shown
    QBoxLayout *m_parts; // ways to start, and templates: side by side, or above each other
    QBoxLayout *m_ways; // in the first of them: to start, and what there is, above each other or side by side
    QWidget *m_start;
    QWidget *m_about; // this computer, and recent files
    QVBoxLayout *m_templates;
    QWidget *m_templatesHead;
    QVBoxLayout *m_recent;
    QVBoxLayout *m_computer;
    QGridLayout *m_grid;
    QList<TemplateCard *> m_cards;
    TemplateCard *m_found = nullptr; // the first that has the words searched for: Enter opens it
    QPushButton *m_all;
    QLabel *m_none; // instead of cards when no words fit
    QLabel *m_count;
    SearchField *m_search;
    QLayout *m_head; // the name of the program
    int m_columns = 0;
    qsizetype m_most = 0; // cards, where no words are searched for
};

} // namespace trainyard
